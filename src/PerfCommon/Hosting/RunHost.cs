using PerfCommon.CommandLine;

namespace PerfCommon.Hosting;

/// <summary>What a run gets from the program around it.</summary>
/// <param name="Console">Where it prints.</param>
/// <param name="Signals">Says when a signal wants it to end.</param>
public sealed record RunHost(RunConsole Console, RunSignals Signals);

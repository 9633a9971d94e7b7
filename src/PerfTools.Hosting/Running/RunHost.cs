namespace PerfTools.Hosting.Running;

/// <summary>What a run gets from the program around it.</summary>
/// <param name="Console">Where it prints.</param>
/// <param name="Signals">Says when a signal wants it to end.</param>
internal sealed record RunHost(RunConsole Console, RunSignals Signals);

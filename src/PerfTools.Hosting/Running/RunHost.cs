namespace PerfTools.Hosting.Running;

/// <summary>What a run gets from the program around it.</summary>
internal sealed record RunHost(RunConsole Console, RunSignals Signals);

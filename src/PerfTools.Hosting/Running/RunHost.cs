namespace PerfTools.Hosting.Running;

/// <summary>The console and signals that the program gives to a run.</summary>
internal sealed record RunHost(RunConsole Console, RunSignals Signals);

namespace PerfTools.Hosting.CommandLine;

/// <summary>One of the few words that an option takes, and what it means.</summary>
/// <remarks>A class: what the framework does with a list of structs has to be compiled for each kind of them while a tool starts.</remarks>
internal sealed record ChoiceWord<TChoice>(string Word, TChoice Choice)
    where TChoice : struct;

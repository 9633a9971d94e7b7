namespace PerfTools.Hosting.CommandLine;

/// <summary>One of the words that an option accepts, and its meaning.</summary>
/// <remarks>A class: the framework's code for lists of structs would have to be compiled for each struct type while a tool starts.</remarks>
internal sealed record ChoiceWord<TChoice>(string Word, TChoice Choice)
    where TChoice : struct;

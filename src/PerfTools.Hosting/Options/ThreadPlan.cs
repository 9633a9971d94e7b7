using System.Globalization;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Options;

/// <summary>The number of worker threads of a run, and the processor to which each is pinned.</summary>
internal sealed record ThreadPlan
{
    /// <summary>Maximum worker threads of a tool.</summary>
    public const int MaxThreads = 8;

    private readonly int[] _processors;

    private ThreadPlan(int[] processors) => _processors = processors;

    /// <summary>One thread that is not pinned.</summary>
    public static ThreadPlan OneUnbound { get; } = new([ThreadBinding.Unbound]);

    public int Count => _processors.Length;

    /// <summary>The processor of each thread, <see cref="ThreadBinding.Unbound"/> for none.</summary>
    public IReadOnlyList<int> Processors => _processors;

    public bool BindsAny => _processors.Any(processor => processor != ThreadBinding.Unbound);

    /// <summary>Returns a plan of the given number of threads that are not pinned.</summary>
    public static ThreadPlan Unbounded(int count) => new([.. Enumerable.Repeat(ThreadBinding.Unbound, count)]);

    public static ThreadPlan BoundTo(int processor) => new([processor]);

    /// <summary>Returns a plan of the threads of this one and then those of another.</summary>
    public ThreadPlan Then(ThreadPlan others) => new([.. _processors, .. others._processors]);

    /// <summary>
    /// Reads <c>N</c> (number of threads, not pinned), <c>-1</c> (one) or a list such as <c>1,-1,3</c> (one thread per processor).
    /// </summary>
    /// <remarks>A plan may have more threads than a tool allows; it is null when the text is invalid.</remarks>
    public static bool TryParse(string text, out ThreadPlan? plan)
    {
        if (TryParseProcessors(text, out plan) && plan!._processors is [int number])
            plan = number == 0 ? null : new([.. Enumerable.Repeat(ThreadBinding.Unbound, Math.Clamp(number, 1, MaxThreads + 1))]);
        return plan is not null;
    }

    /// <summary>Reads a list in which every number is a processor, a single number too: <c>2</c> is one thread on processor 2.</summary>
    public static bool TryParseProcessors(string text, out ThreadPlan? plan)
    {
        ArgumentNullException.ThrowIfNull(text);
        int?[] numbers = [.. text.Split(',').Select(ReadProcessor)];
        plan = numbers.Contains(null) ? null : new([.. numbers.OfType<int>()]);
        return plan is not null;
    }

    /// <summary>Returns an error when there are more threads than a tool supports; else null.</summary>
    public string? FindProblem() => Count > MaxThreads ? $"-threads: at most {MaxThreads} threads" : null;

    public bool Equals(ThreadPlan? other) => other is not null && _processors.AsSpan().SequenceEqual(other._processors);

    public override int GetHashCode() => _processors.Aggregate(Count, HashCode.Combine);

    /// <summary>Formats the plan as <see cref="TryParse"/> reads it.</summary>
    public override string ToString() => BindsAny ? string.Join(',', _processors) : $"{Count}";

    private static int? ReadProcessor(string text) =>
        int.TryParse(text.Trim(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number) && number >= ThreadBinding.Unbound
            ? number : null;
}

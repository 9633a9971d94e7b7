using System.Globalization;

namespace PerfCommon.Workers;

/// <summary>How many worker threads a run has, and the processor each is bound to.</summary>
internal sealed class ThreadPlan : IEquatable<ThreadPlan>
{
    /// <summary>Stands for a thread that the system may place anywhere.</summary>
    public const int Unbound = -1;

    /// <summary>The most worker threads a tool runs.</summary>
    public const int MaxThreads = 8;

    private readonly int[] _processors;

    private ThreadPlan(int[] processors) => _processors = processors;

    /// <summary>One thread, placed by the system.</summary>
    public static ThreadPlan OneUnbound { get; } = new([Unbound]);

    /// <summary>Number of worker threads, 1 or more.</summary>
    public int Count => _processors.Length;

    /// <summary>Processor of each thread in turn, <see cref="Unbound"/> for none.</summary>
    public IReadOnlyList<int> Processors => _processors;

    /// <summary>True when at least one thread is bound.</summary>
    public bool BindsAny => _processors.Any(processor => processor != Unbound);

    /// <summary>One thread on one processor.</summary>
    /// <param name="processor">Its index from 0, or <see cref="Unbound"/>.</param>
    public static ThreadPlan BoundTo(int processor) => new([processor]);

    /// <summary>Reads <c>N</c> (so many unbound threads), <c>-1</c> (one) or a list such as <c>1,-1,3</c> (one thread per processor).</summary>
    /// <param name="text">The text as typed.</param>
    /// <param name="plan">The plan; null when the text is none. A plan may have more threads than a tool allows.</param>
    public static bool TryParse(string text, out ThreadPlan? plan)
    {
        plan = null;
        if (!TryParseProcessors(text, out ThreadPlan? list))
            return false;
        if (list!.Count > 1)
            plan = list;
        else if (list._processors[0] is var number and not 0)
            plan = new(Enumerable.Repeat(Unbound, Math.Clamp(number, 1, MaxThreads + 1)).ToArray());
        return plan is not null;
    }

    /// <summary>Reads a list in which every number is a processor, a single number too: <c>2</c> is one thread on processor 2.</summary>
    /// <param name="text">The text as typed.</param>
    /// <param name="plan">The plan; null when the text is none.</param>
    public static bool TryParseProcessors(string text, out ThreadPlan? plan)
    {
        ArgumentNullException.ThrowIfNull(text);
        string[] parts = text.Split(',');
        int[] numbers = new int[parts.Length];
        plan = null;
        for (int i = 0; i < parts.Length; i++)
        {
            bool isNumber = int.TryParse(parts[i].Trim(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out numbers[i]);
            if (!isNumber || numbers[i] < Unbound)
                return false;
        }
        plan = new(numbers);
        return true;
    }

    /// <summary>Says that there are more threads than a tool runs; null when all is well.</summary>
    public string? FindProblem() =>
        Count > MaxThreads ? $"-threads: at most {MaxThreads} threads" : null;

    /// <inheritdoc/>
    public bool Equals(ThreadPlan? other) => other is not null && _processors.AsSpan().SequenceEqual(other._processors);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as ThreadPlan);

    /// <inheritdoc/>
    public override int GetHashCode() => _processors.Aggregate(Count, HashCode.Combine);

    /// <summary>The plan in the form that <see cref="TryParse"/> reads.</summary>
    public override string ToString() =>
        BindsAny ? string.Join(',', _processors) : Count.ToString(CultureInfo.InvariantCulture);
}

namespace PerfCommon.Measurement;

/// <summary>Merges, subtracts and copies histograms, and fills in samples that a stalled sender did not take.</summary>
internal static class HistogramMerging
{
    /// <summary>Merges several histograms into one, whose cells have the finest resolution and the farthest range among them.</summary>
    /// <returns>Null for none.</returns>
    /// <exception cref="HistogramException">Different units, or a total above the range of a count.</exception>
    public static LongHistogram? Merge(IReadOnlyList<LongHistogram> parts)
    {
        if (parts.Count == 0)
            return null;
        LongHistogram merged = new(
            parts.Min(part => part.Layout.Lowest), parts.Max(part => part.Layout.Highest), parts.Max(part => part.Layout.Digits),
            parts[0].Unit);
        foreach (LongHistogram part in parts)
            merged.Add(part);
        return merged;
    }

    /// <summary>Subtracts all counts of another histogram.</summary>
    /// <exception cref="HistogramException">Different units, or a cell holds fewer values than are subtracted; nothing was
    /// changed.</exception>
    public static void Subtract(this LongHistogram target, LongHistogram other)
    {
        RequireSameUnit(target, other);
        LongHistogram taken = new(target.Layout.Lowest, target.Layout.Highest, target.Layout.Digits, target.Unit);
        taken.Add(other);
        for (int i = taken.FirstUsed; i <= taken.LastUsed; i++)
        {
            if (taken.CountAt(i) > target.CountAt(i))
            {
                throw new HistogramException(
                    $"cannot take {taken.CountAt(i)} of value {target.Layout.LowestOf(i)}: there are {target.CountAt(i)}");
            }
        }

        for (int i = taken.FirstUsed; i <= taken.LastUsed; i++)
            target.Uncount(i, taken.CountAt(i));
        target.TrimUsed();
        target.AddOutside(-taken.OverflowCount, -taken.NegativeCount);
    }

    /// <summary>Returns a histogram with the same cells, counts and counters.</summary>
    public static LongHistogram Copy(this LongHistogram source)
    {
        LongHistogram copy = new(source.Layout.Lowest, source.Layout.Highest, source.Layout.Digits, source.Unit);
        copy.Add(source);
        return copy;
    }

    /// <summary>Counts a value and, evenly below it, the samples that were not taken while it lasted.</summary>
    /// <param name="target">The histogram.</param>
    /// <param name="value">The value.</param>
    /// <param name="expectedIntervalBetweenValueSamples">Distance at which samples were due; 0 or less counts the value alone.</param>
    public static void RecordValueWithExpectedInterval(this LongHistogram target, long value, long expectedIntervalBetweenValueSamples)
    {
        target.RecordValue(value);
        target.RecordMissing(value, 1, expectedIntervalBetweenValueSamples);
    }

    /// <summary>Returns a copy that also has the samples that were due while a value lasted.</summary>
    /// <param name="source">The histogram; not changed.</param>
    /// <param name="expectedIntervalBetweenValueSamples">Distance at which samples were due; 0 or less makes a plain copy.</param>
    public static LongHistogram CopyCorrectedForCoordinatedOmission(this LongHistogram source, long expectedIntervalBetweenValueSamples)
    {
        LongHistogram copy = source.Copy();
        for (int i = source.FirstUsed; i <= source.LastUsed; i++)
            copy.RecordMissing(source.Layout.HighestOf(i), source.CountAt(i), expectedIntervalBetweenValueSamples);
        return copy;
    }

    private static void RecordMissing(this LongHistogram target, long value, long count, long interval)
    {
        if (interval <= 0)
            return;
        for (long missing = value - interval; missing >= interval; missing -= interval)
            target.RecordValueWithCount(missing, count);
    }

    public static void RequireSameUnit(LongHistogram target, LongHistogram other)
    {
        if (target.Unit != other.Unit)
            throw new HistogramException($"a histogram of {other.Unit} cannot be combined with one of {target.Unit}");
    }
}

/// <summary>Reports two histograms that cannot be combined; neither of them was changed.</summary>
/// <param name="message">The input that was found and the input that was expected.</param>
internal sealed class HistogramException(string message) : Exception(message);

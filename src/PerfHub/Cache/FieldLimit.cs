namespace PerfHub.Cache;

/// <summary>The maximum number of fields of one item, and the number of fields left out. One owner thread.</summary>
/// <param name="maxFields">Maximum fields of one list, 1 to 65,535.</param>
internal sealed class FieldLimit(int maxFields = FieldLimit.DefaultMaxFields)
{
    /// <summary>The default maximum.</summary>
    public const int DefaultMaxFields = 2_048;

    public int MaxFields => maxFields;

    /// <summary>Fields left out because the item had its maximum, or because their values did not fit.</summary>
    public long Dropped { get; private set; }

    /// <summary>Counts a field that is left out.</summary>
    public void Drop() => Dropped++;

    /// <summary>Takes back fields that were counted before.</summary>
    public void TakeBack(long fields) => Dropped -= fields;
}

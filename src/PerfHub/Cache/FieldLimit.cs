namespace PerfHub.Cache;

/// <summary>How many fields one item may have, and how many found no place. One owner thread.</summary>
/// <param name="maxFields">Fields of one list, 1 to 65,535.</param>
internal sealed class FieldLimit(int maxFields = FieldLimit.DefaultMaxFields)
{
    /// <summary>Fields of an item of which nobody said how many it may have.</summary>
    public const int DefaultMaxFields = 2_048;

    public int MaxFields => maxFields;

    /// <summary>Fields that were left out because the item had as many as it may, or because their values had no room.</summary>
    public long Dropped { get; private set; }

    /// <summary>Counts a field that is left out.</summary>
    public void Drop() => Dropped++;
}

using System.Globalization;

namespace ConsPerf;

/// <summary>The received fields that the dictionary lacks, each once for all connections of a run. Any thread.</summary>
internal sealed class UnknownFields
{
    private const int MaxShown = 20;

    private readonly Lock _gate = new();
    private readonly SortedSet<short> _ids = [];

    /// <summary>Adds a field.</summary>
    /// <returns>Its position, from 1; 0 when another connection has already added it.</returns>
    public int Add(short fieldId)
    {
        lock (_gate)
            return _ids.Add(fieldId) ? _ids.Count : 0;
    }

    /// <summary>Describes the fields in a line of the summary; null when there are none.</summary>
    public string? Describe()
    {
        lock (_gate)
        {
            IEnumerable<string> shown = _ids.Take(MaxShown).Select(id => id.ToString(CultureInfo.InvariantCulture));
            return _ids.Count == 0
                ? null : $"Fields that the dictionary lacks: {string.Join(", ", shown)}{(_ids.Count > MaxShown ? ", ..." : "")}";
        }
    }
}

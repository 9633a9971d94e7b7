using System.Globalization;
using PerfTools.Hosting.Reporting;

namespace UsersPerf;

/// <summary>The reasons why users had to retry their log-ins, each with its count. One thread adds, any thread reads.</summary>
internal sealed class LoginRetries
{
    // Some of the reasons are texts of peers.
    private const int MaxReasons = 8;
    private const string Others = "other reasons";

    private readonly Lock _lock = new();
    private readonly Dictionary<string, long> _counts = new(StringComparer.Ordinal);

    /// <summary>Adds an attempt that ended before its login was accepted; another follows.</summary>
    /// <param name="reason">The reason, as a sentence.</param>
    public void Add(string reason) => Add(InvariantText.OneLine(reason), 1);

    /// <summary>Adds the counts of another thread.</summary>
    public void Add(LoginRetries other)
    {
        foreach ((string reason, long count) in other.Snapshot())
            Add(reason, count);
    }

    /// <summary>The reasons as a sentence, the most frequent first; null for none.</summary>
    public string? Describe()
    {
        KeyValuePair<string, long>[] counts = [.. Snapshot().OrderByDescending(row => row.Value).ThenBy(row => row.Key, StringComparer.Ordinal)];
        return counts is [] ? null : string.Create(CultureInfo.InvariantCulture,
            $"Log-ins tried again: {counts.Sum(row => row.Value)} ({string.Join("; ", counts.Select(Describe))})");
    }

    /// <summary>The most frequent reason; null for none.</summary>
    public string? FindMain() => Snapshot() is { Length: > 0 } counts ? counts.MaxBy(row => row.Value).Key : null;

    private static string Describe(KeyValuePair<string, long> row) =>
        string.Create(CultureInfo.InvariantCulture, $"{row.Value} times: {row.Key}");

    private KeyValuePair<string, long>[] Snapshot()
    {
        lock (_lock)
            return [.. _counts];
    }

    private void Add(string reason, long count)
    {
        lock (_lock)
        {
            if (!_counts.ContainsKey(reason) && _counts.Count >= MaxReasons)
                reason = Others;
            _counts[reason] = _counts.GetValueOrDefault(reason) + count;
        }
    }
}

using System.Diagnostics;
using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Machine;

/// <summary>Measures the resources of a program by the system's accounts (<c>/proc</c>, Linux only): the same way for every edition.</summary>
/// <param name="processId">The id of the program's process.</param>
/// <param name="isSession">
/// True when it leads a session: all processes of the session count, such as a script and the programs that it starts.
/// </param>
internal sealed class OutsideWatch(int processId, bool isSession)
{
    private const string Proc = "/proc";
    private const double TicksPerSecond = 100; // the unit in which the kernel shows times, whatever its internal tick is
    private const double BytesPerMegabyte = 1_048_576;
    private const double WholePercent = 100;

    private readonly List<(long At, double CpuSeconds)> _looks = [];
    private double _peakBytes;

    /// <summary>Processor time until the last sample.</summary>
    public double CpuSeconds => _looks.Count > 0 ? _looks[^1].CpuSeconds : 0;

    /// <summary>Takes a sample now.</summary>
    public void Look()
    {
        if (OperatingSystem.IsLinux())
            Add(Stopwatch.GetTimestamp(), ReadAll());
    }

    /// <summary>The resources it used.</summary>
    /// <param name="from">The beginning of the measured time, in ticks of <see cref="Stopwatch"/>; null where nothing was measured.</param>
    /// <param name="to">The end of the measured time.</param>
    /// <returns>Null without samples.</returns>
    public OutsideUse? Use(long? from, long? to) => _looks.Count == 0
        ? null : new(CpuSeconds, from is { } begin && to is { } end ? CorePercent(begin, end) : null, _peakBytes / BytesPerMegabyte);

    /// <summary>Records a sample; nothing changes when no process was left.</summary>
    internal void Add(long at, IReadOnlyList<ProcessAccount> processes)
    {
        if (processes.Count == 0)
            return;
        // a process that ended without being waited for is in no account any more: the sum may fall
        double seconds = Math.Max(CpuSeconds, processes.Sum(process => process.CpuTicks) / TicksPerSecond);
        _looks.Add((at, seconds));
        _peakBytes = Math.Max(_peakBytes, processes.Sum(process => (double)process.ResidentBytes));
    }

    private IReadOnlyList<ProcessAccount> ReadAll()
    {
        if (!isSession)
            return ProcessAccount.TryRead(processId) is { } one ? [one] : [];
        return [.. Directory.EnumerateDirectories(Proc).Select(Path.GetFileName)
            .Select(name => int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? ProcessAccount.TryRead(id) : null)
            .OfType<ProcessAccount>().Where(process => process.Session == processId)];
    }

    // Between the first and the last sample in that time: the use from the sample before it up to its beginning belongs to the start.
    private double? CorePercent(long from, long to)
    {
        (long At, double CpuSeconds)[] within = [.. _looks.Where(look => look.At >= from && look.At <= to)];
        return within is [var first, .., var last] && last.At > first.At
            ? WholePercent * (last.CpuSeconds - first.CpuSeconds) / Stopwatch.GetElapsedTime(first.At, last.At).TotalSeconds : null;
    }
}

/// <summary>The account of one process.</summary>
/// <param name="Session">The number of its session.</param>
/// <param name="CpuTicks">Processor time of the process and of the children that it has waited for.</param>
/// <param name="ResidentBytes">Its resident memory.</param>
internal sealed record ProcessAccount(int Session, long CpuTicks, long ResidentBytes)
{
    private const int SessionAt = 3, UserAt = 11, ChildrenSystemAt = 14, ResidentAt = 21; // after the name, state first

    /// <summary>Reads the account of a process; null when no process has this number.</summary>
    public static ProcessAccount? TryRead(int processId)
    {
        try
        {
            return Parse(File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{processId}/stat")));
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return null; // the process ended meanwhile
        }
    }

    /// <summary>Parses the text of a process's <c>stat</c>; null for other text.</summary>
    public static ProcessAccount? Parse(string text)
    {
        string[] parts = text[(text.LastIndexOf(')') + 1)..].Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries); // the name may contain blanks
        if (parts.Length <= ResidentAt || !int.TryParse(parts[SessionAt], CultureInfo.InvariantCulture, out int session))
            return null;
        long ticks = 0;
        for (int i = UserAt; i <= ChildrenSystemAt; i++)
            ticks += Number(parts[i]);
        return new(session, ticks, Number(parts[ResidentAt]) * Environment.SystemPageSize);
    }

    private static long Number(string text) => long.TryParse(text, CultureInfo.InvariantCulture, out long number) ? number : 0;
}

using System.Diagnostics;
using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Machine;

/// <summary>Looks at what a program uses, by the system's accounts (<c>/proc</c>, Linux only): the same for a program of any edition.</summary>
/// <param name="processId">The program.</param>
/// <param name="isSession">True when it has a session of its own: all processes of that count, as of a script and what it starts.</param>
internal sealed class OutsideWatch(int processId, bool isSession)
{
    private const string Proc = "/proc";
    private const double TicksPerSecond = 100; // what the kernel shows, whatever its own are
    private const double BytesPerMegabyte = 1_048_576;
    private const double WholePercent = 100;

    private readonly List<(long At, double CpuSeconds)> _looks = [];
    private double _peakBytes;

    /// <summary>Processor time until the last look.</summary>
    public double CpuSeconds => _looks.Count > 0 ? _looks[^1].CpuSeconds : 0;

    /// <summary>Looks now.</summary>
    public void Look()
    {
        if (OperatingSystem.IsLinux())
            Add(Stopwatch.GetTimestamp(), ReadAll());
    }

    /// <summary>What it used.</summary>
    /// <param name="from">Begin of the measured time, in ticks of <see cref="Stopwatch"/>; null where there was none.</param>
    /// <param name="to">Its end.</param>
    /// <returns>Null where nothing was seen.</returns>
    public OutsideUse? Use(long? from, long? to) => _looks.Count == 0
        ? null : new(CpuSeconds, from is { } begin && to is { } end ? CorePercent(begin, end) : null, _peakBytes / BytesPerMegabyte);

    /// <summary>Notes what was seen at a time; nothing changes when no process was there any more.</summary>
    internal void Add(long at, IReadOnlyList<ProcessAccount> processes)
    {
        if (processes.Count == 0)
            return;
        // a process that has gone without being waited for is in nobody's account any more
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

    // Between the first and the last look in that time: what was used between the look before it and its begin is that of a start.
    private double? CorePercent(long from, long to)
    {
        (long At, double CpuSeconds)[] within = [.. _looks.Where(look => look.At >= from && look.At <= to)];
        return within is [var first, .., var last] && last.At > first.At
            ? WholePercent * (last.CpuSeconds - first.CpuSeconds) / Stopwatch.GetElapsedTime(first.At, last.At).TotalSeconds : null;
    }
}

/// <summary>The account of one process.</summary>
/// <param name="Session">The number of its session.</param>
/// <param name="CpuTicks">Processor time of it and of the children that it has waited for.</param>
/// <param name="ResidentBytes">Its resident memory.</param>
internal sealed record ProcessAccount(int Session, long CpuTicks, long ResidentBytes)
{
    private const int SessionAt = 3, UserAt = 11, ChildrenSystemAt = 14, ResidentAt = 21; // behind the name, state first

    /// <summary>Reads the account of a process; null when there is none of this number.</summary>
    public static ProcessAccount? TryRead(int processId)
    {
        try
        {
            return Parse(File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{processId}/stat")));
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return null; // it went meanwhile
        }
    }

    /// <summary>Reads the text of a process's <c>stat</c>; null for another.</summary>
    public static ProcessAccount? Parse(string text)
    {
        string[] parts = text[(text.LastIndexOf(')') + 1)..].Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries); // the name may have blanks
        if (parts.Length <= ResidentAt || !int.TryParse(parts[SessionAt], CultureInfo.InvariantCulture, out int session))
            return null;
        long ticks = 0;
        for (int i = UserAt; i <= ChildrenSystemAt; i++)
            ticks += Number(parts[i]);
        return new(session, ticks, Number(parts[ResidentAt]) * Environment.SystemPageSize);
    }

    private static long Number(string text) => long.TryParse(text, CultureInfo.InvariantCulture, out long number) ? number : 0;
}

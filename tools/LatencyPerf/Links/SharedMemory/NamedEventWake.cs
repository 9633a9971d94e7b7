using System.Runtime.Versioning;
using PerfCommon.Measurement;

namespace LatencyPerf.Links;

/// <summary>Wakes by named events of Windows, one for each sleeper; an event resets itself when its only waiter continues.</summary>
[SupportedOSPlatform("windows")]
internal sealed class NamedEventWake : SharedWake
{
    private const string Session = @"Local\";

    private readonly EventWaitHandle _own;
    private readonly string[] _names;
    private readonly EventWaitHandle?[] _others;

    /// <param name="own">A path whose last part names the event.</param>
    /// <param name="others">The paths of all sides that it wakes.</param>
    public NamedEventWake(string own, IReadOnlyList<string> others)
    {
        _own = new EventWaitHandle(initialState: false, EventResetMode.AutoReset, NameOf(own));
        _names = [.. others.Select(NameOf)];
        _others = new EventWaitHandle?[_names.Length];
    }

    protected override void Wake(ref uint word)
    {
        for (int i = 0; i < _others.Length; i++)
        {
            if (_others[i] is not null || EventWaitHandle.TryOpenExisting(_names[i], out _others[i]))
                _others[i]!.Set();
        }
    }

    protected override void Wait(ref uint word, uint seen, long limitNanos) =>
        _own.WaitOne((int)Math.Min(int.MaxValue, (Math.Max(0, limitNanos) + Clock.NanosPerMilli - 1) / Clock.NanosPerMilli));

    protected override void Dispose(bool disposing)
    {
        _own.Dispose();
        foreach (EventWaitHandle? other in _others)
            other?.Dispose();
        base.Dispose(disposing);
    }

    private static string NameOf(string path) => Session + Path.GetFileName(path);
}

using System.Diagnostics;
using System.Text;
using PerfCommon;
using PerfTools.Results.Files;

namespace PerfTools.Ranks;

/// <summary>Shows rank 0 the lines of the roles of this rank while they are written, where it does not see their files. They are no results.</summary>
/// <param name="store">What brings them there.</param>
/// <param name="paths">The files.</param>
internal sealed class ShownLines(Func<string, long, string, long?> store, IReadOnlyList<string> paths)
{
    private const int MaxBytes = 256 * 1024; // of a file at a time
    private static readonly TimeSpan Pace = TimeSpan.FromSeconds(1);

    private readonly Dictionary<string, long> _sent = [];
    private long? _shownAt;

    /// <summary>Sends, once per second, the lines that were completed since. What cannot be sent or read now is the next time.</summary>
    public void Show()
    {
        if (_shownAt is { } at && Stopwatch.GetElapsedTime(at) < Pace)
            return;
        _shownAt = Stopwatch.GetTimestamp();
        foreach (string path in paths.Where(ResultFile.IsThere))
        {
            long from = _sent.GetValueOrDefault(path);
            if (ReadLines(path, from) is { Length: > 0 } lines)
                _sent[path] = store(Path.GetFileName(path), from, lines) ?? from;
        }
    }

    private static string ReadLines(string path, long from)
    {
        try
        {
            ReadOnlySpan<byte> piece = ResultFile.ReadChunk(path, from);
            piece = piece[..Math.Min(piece.Length, MaxBytes)];
            return Encoding.UTF8.GetString(piece[..(piece.LastIndexOf((byte)'\n') + 1)]);
        }
        catch (SetupException)
        {
            return "";
        }
    }
}

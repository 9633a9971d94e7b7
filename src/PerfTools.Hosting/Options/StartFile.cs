using System.Globalization;
using PerfCommon;

namespace PerfTools.Hosting.Options;

/// <summary>
/// The file that holds the time of the first log-in: the conductor of several processes writes it once all of them are ready.
/// </summary>
internal static class StartFile
{
    /// <summary>Format of the time.</summary>
    public const string TimeForm = "yyyy-MM-dd'T'HH:mm:ss.FFF'Z'";

    private const int MaxChars = 64;
    private static readonly string[] TimeForms = [TimeForm, "yyyy-MM-dd'T'HH:mm:ss.FFF"];

    /// <summary>Reads a UTC time.</summary>
    public static bool TryReadTime(string text, out DateTime time) => DateTime.TryParseExact(
        text, TimeForms, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out time);

    /// <summary>Reads the file; null while it does not exist, or its line is not complete.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="findProblem">Returns what is wrong with a time, as the end of a sentence; null for nothing. Null accepts every time.</param>
    /// <exception cref="SetupException">The file holds no time that can be used (exit code 3).</exception>
    public static DateTime? TryRead(string path, Func<DateTime, string?>? findProblem = null)
    {
        if (!File.Exists(path))
            return null;
        string text = ReadBegin(path);
        if (!text.Contains('\n', StringComparison.Ordinal) && text.Length < MaxChars)
            return null; // it is being written
        string line = text.Split('\n')[0].Trim();
        if (!TryReadTime(line, out DateTime time))
            throw FileErrors.Input(path, $"\"{PrintableText.From(line)}\" is not a UTC time such as 2026-11-22T10:00:00Z");
        return findProblem?.Invoke(time) is { } problem ? throw FileErrors.Input(path, problem) : time;
    }

    private static string ReadBegin(string path)
    {
        try
        {
            using StreamReader reader = new(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
            char[] room = new char[MaxChars];
            return new string(room, 0, reader.ReadBlock(room));
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(path, cause);
        }
    }
}

namespace PerfCommon;

/// <summary>Files that are written at once: beside their place, then put there whole, so that nobody ever reads half of one.</summary>
internal static class WholeFile
{
    private const string UnfinishedExtension = ".new";

    /// <summary>Writes one as UTF-8 without byte order mark, lines ended by one line feed.</summary>
    /// <returns>Why it could not be written, as a sentence that names it; null when it was.</returns>
    public static string? TryWrite(string path, Action<TextWriter> write) => TryWriteBytes(path, file =>
    {
        using StreamWriter writer = new(file, leaveOpen: true) { NewLine = "\n" };
        write(writer);
    });

    /// <summary>Writes one of any bytes.</summary>
    /// <returns>As of <see cref="TryWrite"/>.</returns>
    public static string? TryWriteBytes(string path, Action<Stream> write)
    {
        try
        {
            File.Delete(path + UnfinishedExtension); // of a program that was killed, or a link that somebody put there
            using (FileStream file = new(path + UnfinishedExtension, FileMode.CreateNew, FileAccess.Write))
                write(file);
            File.Move(path + UnfinishedExtension, path, overwrite: true);
            return null;
        }
        catch (Exception cause) when (FileTrouble.IsMeantBy(cause))
        {
            DeleteUnfinished(path + UnfinishedExtension);
            return $"{PrintableText.From(path)}: cannot be written: {FileTrouble.Describe(path, cause)}";
        }
    }

    private static void DeleteUnfinished(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception cause) when (FileTrouble.IsMeantBy(cause))
        {
            // what is told is why it could not be written
        }
    }
}

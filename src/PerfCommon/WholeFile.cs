namespace PerfCommon;

/// <summary>Writes files atomically: to a temporary file in the same folder, then renamed, so that no reader sees half of one.</summary>
internal static class WholeFile
{
    private const string UnfinishedExtension = ".new";

    /// <summary>Writes a file as UTF-8 without byte order mark, lines ended by one line feed.</summary>
    /// <returns>Why it could not be written, as a sentence that names it; null when it was written.</returns>
    public static string? TryWrite(string path, Action<TextWriter> write) => TryWriteBytes(path, file =>
    {
        using StreamWriter writer = new(file, leaveOpen: true) { NewLine = "\n" };
        write(writer);
    });

    /// <summary>Writes a file of any bytes.</summary>
    /// <returns>As of <see cref="TryWrite"/>.</returns>
    public static string? TryWriteBytes(string path, Action<Stream> write)
    {
        try
        {
            File.Delete(path + UnfinishedExtension); // left by a program that was killed, or a link that another program created
            using (FileStream file = new(path + UnfinishedExtension, FileMode.CreateNew, FileAccess.Write))
                write(file);
            File.Move(path + UnfinishedExtension, path, overwrite: true);
            return null;
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            DeleteUnfinished(path + UnfinishedExtension);
            return $"{PrintableText.From(path)}: cannot be written: {FileErrors.Describe(path, cause)}";
        }
    }

    private static void DeleteUnfinished(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            // the reported error is the reason why it could not be written
        }
    }
}

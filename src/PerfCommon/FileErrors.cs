using System.Security;

namespace PerfCommon;

/// <summary>Describes why a file cannot be used: in a few words, without the path that the system's messages repeat.</summary>
internal static class FileErrors
{
    /// <summary>True for exceptions that opening, reading and writing throw because of the file.</summary>
    public static bool IsMeantBy(Exception cause) =>
        cause is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException or SecurityException;

    /// <summary>Returns the end of a sentence about the file.</summary>
    public static string Describe(string path, Exception cause) => cause switch
    {
        _ when Directory.Exists(path) => "it is a folder",
        FileNotFoundException => "no such file",
        DirectoryNotFoundException => "no such folder",
        UnauthorizedAccessException => "access denied",
        _ => PrintableText.From(WithoutPath(cause.Message)).TrimEnd('.'),
    };

    // "No space left on device : '/tmp/x'"; others end with a full stop
    private static string WithoutPath(string message) =>
        message.EndsWith('\'') && message.LastIndexOf(" : '", StringComparison.Ordinal) is > 0 and int end ? message[..end] : message;

    /// <summary>Creates the error to throw about an input file that cannot be read.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="cause">What reading it threw.</param>
    public static SetupException Unreadable(string path, Exception cause) => Input(path, $"cannot be read: {Describe(path, cause)}", cause);

    /// <summary>Creates the error to throw about an empty input file.</summary>
    public static SetupException Empty(string path) => Input(path, "the file is empty");

    /// <summary>Creates the error to throw about an input file.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="what">What is wrong with it, as the end of a sentence.</param>
    /// <param name="cause">The exception that caused it; null for none.</param>
    public static SetupException Input(string path, string what, Exception? cause = null) =>
        new(SetupProblem.InputFile, $"{PrintableText.From(path, PrintableText.MaxLineChars)}: {what}", cause);
}

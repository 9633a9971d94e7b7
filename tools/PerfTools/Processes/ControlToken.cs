using System.Security.Cryptography;
using PerfCommon;
using PerfTools.Results.Files;

namespace PerfTools.Processes;

/// <summary>
/// The secret that permits changes of the roles of a run: drawn for the run, kept in a file of its folder that only its user can read, deleted
/// when the run ends.
/// </summary>
internal sealed class ControlToken : IDisposable
{
    /// <summary>The name of the file.</summary>
    public const string FileName = "control.token";

    private const int Bytes = 24;
    private const int MaxFileBytes = 4096;

    private readonly string _path;

    private ControlToken(string path, string text) => (_path, Text) = (path, text);

    public string Text { get; }

    /// <summary>Draws a token and writes it.</summary>
    /// <exception cref="SetupException">The file cannot be written (exit code 7).</exception>
    public static ControlToken Create(string folder)
    {
        string path = Path.Combine(folder, FileName), text = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(Bytes));
        FileStreamOptions options = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        try
        {
            File.Delete(path); // left by a run that was killed: overwriting it would keep its mode
            using StreamWriter writer = new(path, options);
            writer.Write(text + "\n");
            return new(path, text);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw new SetupException(SetupProblem.OutputFile, $"{path}: cannot be written: {FileErrors.Describe(path, cause)}", cause);
        }
    }

    /// <summary>Finds the token of the run in progress in a folder; null for none.</summary>
    public static string? Find(string folder)
    {
        string path = Path.Combine(folder, FileName);
        return ResultFile.IsThere(path) ? ResultFile.ReadText(path, MaxFileBytes).Trim() : null;
    }

    public void Dispose()
    {
        try
        {
            File.Delete(_path);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            // the token is useless now: the roles have ended
        }
    }
}

using System.Security.Cryptography;
using PerfCommon;

namespace PerfTools.Ranks;

/// <summary>
/// The key by which the ranks of a run ask each other's clocks: drawn by rank 0 for the run, in a file that only its user can read, deleted by the rank
/// that wrote it at the end.
/// </summary>
/// <param name="folder">The folder of the rendezvous.</param>
internal sealed class RankKey(string folder) : IDisposable
{
    /// <summary>The name of the file.</summary>
    public const string Name = "clock.key";

    private const int Bytes = 32;
    private bool _isOwn;

    public string FilePath { get; } = Path.Combine(folder, Name);

    /// <summary>Draws the key and writes it.</summary>
    /// <exception cref="SetupException">The file cannot be written (exit code 7).</exception>
    public void Create() => Write(Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(Bytes)) + "\n");

    /// <summary>Writes the key that rank 0 has drawn, on a rank that shares no folder with it.</summary>
    /// <param name="text">The key.</param>
    /// <exception cref="SetupException">The file cannot be written (exit code 7).</exception>
    public void Copy(string text)
    {
        if (!File.Exists(FilePath))
            Write(text);
    }

    private void Write(string text)
    {
        FileStreamOptions options = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        try
        {
            Directory.CreateDirectory(folder);
            using StreamWriter writer = new(FilePath, options);
            writer.Write(text);
            _isOwn = true;
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw new SetupException(SetupProblem.OutputFile,
                $"{PrintableText.From(FilePath)}: cannot be written: {FileErrors.Describe(FilePath, cause)}", cause);
        }
    }

    public void Dispose()
    {
        try
        {
            if (_isOwn)
                File.Delete(FilePath);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            // the key is useless now: no clock answers any longer
        }
    }
}

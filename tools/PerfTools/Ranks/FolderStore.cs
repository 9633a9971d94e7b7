using PerfCommon;
using PerfTools.Results.Files;

namespace PerfTools.Ranks;

/// <summary>The files of a rendezvous in a folder that all ranks share, or that rank 0 serves to the others.</summary>
/// <remarks>Each file is written under a temporary name next to its final place, then renamed.</remarks>
/// <param name="folder">The folder.</param>
internal sealed class FolderStore(string folder) : IRendezvousStore
{
    /// <summary>Maximum bytes of a file that is read.</summary>
    public const int MaxFileBytes = 1024 * 1024;

    public string Folder => folder;

    public WallClockReading? Clock => null;

    public string PathOf(string name) => Path.Combine(folder, name);

    public bool TryAdd(string name, string text)
    {
        string path = PathOf(name), beside = FormattableString.Invariant($"{path}.{Environment.ProcessId}.new");
        try
        {
            Directory.CreateDirectory(folder);
            File.Delete(beside);
            using (StreamWriter writer = new(new FileStream(beside, FileMode.CreateNew, FileAccess.Write)))
                writer.Write(text);
            return TryMove(beside, path);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw new SetupException(SetupProblem.OutputFile,
                $"{PrintableText.From(path)}: cannot be written: {FileErrors.Describe(path, cause)}", cause);
        }
    }

    public void Write(string name, string text)
    {
        if (WholeFile.TryWrite(PathOf(name), writer => writer.Write(text)) is { } problem)
            throw new SetupException(SetupProblem.OutputFile, problem);
    }

    public string? Read(string name)
    {
        string path = PathOf(name);
        return ResultFile.IsThere(path) ? ResultFile.ReadText(path, MaxFileBytes) : null;
    }

    public bool Has(string name) => File.Exists(PathOf(name));

    public long? Show(string name, long from, string lines) => null;

    public string? Deliver(IReadOnlyList<string> paths) => null; // rank 0 reads them where they are

    public void Dispose()
    {
        // the files stay: they show what was said
    }

    private static bool TryMove(string from, string path)
    {
        try
        {
            File.Move(from, path, overwrite: false);
            return true;
        }
        catch (IOException) when (File.Exists(path))
        {
            File.Delete(from);
            return false;
        }
    }
}

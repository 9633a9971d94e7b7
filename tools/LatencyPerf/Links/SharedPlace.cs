using System.Globalization;
using PerfCommon;

namespace LatencyPerf.Links;

/// <summary>The files of a domain in shared memory: the memory itself, and one for each side that says that it lives.</summary>
/// <param name="DomainId">The domain.</param>
internal sealed record SharedPlace(int DomainId)
{
    private const string SharedFolder = "/dev/shm";

    private static string Folder => OperatingSystem.IsLinux() && Directory.Exists(SharedFolder) ? SharedFolder : Path.GetTempPath();

    /// <summary>The memory.</summary>
    public string MemoryPath => PathOf("");

    /// <summary>What a side holds while it lives; 0 is the publisher.</summary>
    public string LifePathOf(int side) => PathOf(string.Create(CultureInfo.InvariantCulture, $"-{side}"));

    /// <summary>Holds a side's file; null when somebody holds it.</summary>
    /// <exception cref="SetupException">It cannot be made.</exception>
    public FileStream? TryHold(int side)
    {
        FileStreamOptions options = new() { Mode = FileMode.OpenOrCreate, Access = FileAccess.ReadWrite, Share = FileShare.None };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        try
        {
            return new FileStream(LifePathOf(side), options);
        }
        catch (UnauthorizedAccessException cause)
        {
            throw new SetupException(SetupProblem.NotStarted, $"{LifePathOf(side)}: {FileTrouble.Describe(LifePathOf(side), cause)}", cause);
        }
        catch (IOException)
        {
            return null;
        }
    }

    /// <summary>True while a side lives.</summary>
    public bool Lives(int side)
    {
        if (!File.Exists(LifePathOf(side)))
            return false;
        using FileStream? held = TryHold(side);
        return held is null;
    }

    private string PathOf(string ending) => Path.Combine(Folder, string.Create(CultureInfo.InvariantCulture, $"perftools-{SharedUser.Id}-{DomainId}{ending}"));
}

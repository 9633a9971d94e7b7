using System.Globalization;
using PerfCommon;

namespace LatencyPerf.Links;

/// <summary>
/// The files of a domain in shared memory: the memory itself, one for each side that shows that it lives, and its doorbell where one is
/// used.
/// </summary>
/// <param name="DomainId">The domain.</param>
internal sealed record SharedPlace(int DomainId)
{
    private const string SharedFolder = "/dev/shm";
    private const string BellEnding = ".bell";
    private const int MaxTries = 5;
    private const int MillisPerTry = 10;

    private static string Folder => OperatingSystem.IsLinux() && Directory.Exists(SharedFolder) ? SharedFolder : Path.GetTempPath();

    private static string Prefix => $"perftools-{SharedUser.Id}-";

    /// <summary>The path of the memory.</summary>
    public string MemoryPath => PathOf("");

    /// <summary>The path of the file that a side holds while it lives; 0 is the publisher.</summary>
    public string LifePathOf(int side) => PathOf(string.Create(CultureInfo.InvariantCulture, $"-{side}"));

    /// <summary>The path of a side's doorbell or event, where it is woken by one.</summary>
    public string BellPathOf(int side) => LifePathOf(side) + BellEnding;

    /// <summary>Deletes a file; one that cannot be deleted now is left to the next process.</summary>
    public static void Delete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            // another process has it mapped, on systems where that prevents a deletion
        }
    }

    /// <summary>Deletes the files of sides that were killed, in every domain of this user.</summary>
    public static void ClearAll()
    {
        foreach (int domain in Directory.GetFiles(Folder, Prefix + "*").Select(ReadDomain).OfType<int>().Distinct())
            new SharedPlace(domain).ClearDead(own: null);
    }

    /// <summary>The same in this domain.</summary>
    /// <param name="own">The side that calls, which lives; null where none does.</param>
    public void ClearDead(int? own)
    {
        for (int side = 0; side <= TestPorts.MaxCookie; side++)
        {
            if (side != own && (File.Exists(LifePathOf(side)) || (side == 0 && File.Exists(MemoryPath))))
                ClearDeadSide(side);
        }
    }

    /// <summary>Holds a side's file; null when another process holds it.</summary>
    /// <exception cref="SetupException">The file cannot be created.</exception>
    public IDisposable? TryHold(int side)
    {
        for (int i = 0; i < MaxTries; i++)
        {
            IDisposable? held = TryOpen(side);
            if (held is not null && Lives(side))
                return held;
            held?.Dispose(); // another process deleted it between opening and holding it
            Thread.Sleep(MillisPerTry); // a process that checks whether a side lives holds its file for a moment
        }

        return null;
    }

    /// <summary>True while a side lives.</summary>
    public bool Lives(int side)
    {
        if (!File.Exists(LifePathOf(side)))
            return false;
        using IDisposable? held = TryOpen(side);
        return held is null;
    }

    private static int? ReadDomain(string path) =>
        int.TryParse(Path.GetFileName(path)[Prefix.Length..].Split('-')[0], NumberStyles.None, CultureInfo.InvariantCulture, out int domain)
            && domain is >= 0 and <= TestPorts.MaxDomain ? domain : null;

    private void ClearDeadSide(int side)
    {
        try
        {
            using IDisposable? held = OwnFile.TryLock(LifePathOf(side));
            if (held is null)
                return;
            if (side == 0)
                Delete(MemoryPath);
            Delete(BellPathOf(side));
            Delete(LifePathOf(side));
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            // another user's file: it only obstructs its own domain, where it is reported
        }
    }

    private IDisposable? TryOpen(int side)
    {
        try
        {
            return OwnFile.TryLock(LifePathOf(side));
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw new SetupException(SetupProblem.NotStarted, $"{LifePathOf(side)}: {FileErrors.Describe(LifePathOf(side), cause)}",
                cause);
        }
    }

    private string PathOf(string ending) =>
        Path.Combine(Folder, string.Create(CultureInfo.InvariantCulture, $"{Prefix}{DomainId}{ending}"));
}

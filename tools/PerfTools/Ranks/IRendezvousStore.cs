using PerfCommon;

namespace PerfTools.Ranks;

/// <summary>Keeps the small files of a rendezvous, and brings the results of a rank to rank 0: a folder that all ranks share, or the port of rank 0.</summary>
internal interface IRendezvousStore : IDisposable
{
    /// <summary>The folder of this machine for the key of the clock, and on rank 0 for the results of ranks.</summary>
    string Folder { get; }

    /// <summary>The file of a name, for people.</summary>
    string PathOf(string name);

    /// <summary>Adds a file.</summary>
    /// <returns>False when there is one of this name; it is unchanged.</returns>
    bool TryAdd(string name, string text);

    /// <summary>Writes a file, or replaces it. Any thread.</summary>
    /// <exception cref="SetupException">It cannot be written (exit code 7).</exception>
    void Write(string name, string text);

    /// <summary>Reads a file; null where there is none. Any thread.</summary>
    /// <exception cref="SetupException">It cannot be read (exit code 3).</exception>
    string? Read(string name);

    /// <summary>How far the wall clock of this rank is from that of rank 0, by the exchanges so far; null where they do not show it. Any thread.</summary>
    WallClockReading? Clock { get; }

    /// <summary>True where there is a file of this name.</summary>
    bool Has(string name);

    /// <summary>Shows rank 0 lines that a role of this rank has written, before its results are brought.</summary>
    /// <param name="name">The file that the role writes.</param>
    /// <param name="from">The number of its bytes before the lines.</param>
    /// <param name="lines">The lines, whole.</param>
    /// <returns>The number of its bytes that rank 0 has then; null where that is not known, or rank 0 sees the file.</returns>
    long? Show(string name, long from, string lines);

    /// <summary>Brings files to rank 0, all of them whole or none.</summary>
    /// <param name="paths">The files; each has another name.</param>
    /// <returns>Why they could not be brought; null when they were.</returns>
    string? Deliver(IReadOnlyList<string> paths);
}

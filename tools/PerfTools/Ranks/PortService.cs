using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using PerfCommon;
using PerfTools.Results.Files;

namespace PerfTools.Ranks;

/// <summary>
/// Serves one rank at the port of rank 0: it may write its own files of the rendezvous and read all, and send the files of its roles, which are put where a
/// shared folder would have them when all have come whole.
/// </summary>
/// <param name="store">The files of the rendezvous on rank 0.</param>
/// <param name="own">The names of files that this rank may write.</param>
/// <param name="folder">The folder of the run.</param>
/// <param name="rank">The rank.</param>
/// <param name="isResult">True for the name of a file of one of its roles.</param>
internal sealed class PortService(FolderStore store, IReadOnlySet<string> own, string folder, int rank, Func<string, bool> isResult)
{
    private const int MaxNameChars = 100;
    private const int MaxFiles = 1_000;
    private const long MaxBytes = 4 * ResultFile.MaxLinesBytes;
    private const int PieceBytes = 64 * 1024;
    private const int MaxShownFiles = RankPlacement.MaxProcesses;
    private const long MaxShownBytes = 64 * 1024 * 1024;
    private const string Shown = "shown";

    private readonly string _staging = StagingOf(store.Folder, rank);
    private readonly Dictionary<string, long> _received = [];

    private string ResultName => Rendezvous.ResultNameOf(rank);

    /// <summary>The file in which rank 0 has what a role of another rank has written so far.</summary>
    /// <param name="folder">The folder of the rendezvous.</param>
    /// <param name="rank">The rank.</param>
    /// <param name="name">The file that the role writes.</param>
    public static string ShownPathOf(string folder, int rank, string name) => Path.Combine(StagingOf(folder, rank), Shown, name);

    /// <summary>Answers a request that no bytes follow.</summary>
    public PortReply Answer(PortRequest request)
    {
        try
        {
            return request.Kind switch
            {
                PortRequest.End => Complete(request.Size),
                _ when !IsName(request.Name) => Refuse(request),
                _ when Encoding.UTF8.GetByteCount(request.Text ?? "") > FolderStore.MaxFileBytes => new(false, Problem: $"{request.Name}: too long"),
                PortRequest.Read => new(true, store.Read(request.Name)),
                PortRequest.Has => new(store.Has(request.Name)),
                PortRequest.Lines when isResult(request.Name) => Add(request),
                PortRequest.Add when own.Contains(request.Name) => new(store.TryAdd(request.Name, request.Text ?? "")),
                PortRequest.Write when own.Contains(request.Name) => Write(request),
                _ => Refuse(request),
            };
        }
        catch (SetupException problem)
        {
            return new(false, Problem: problem.Message);
        }
    }

    /// <summary>Receives a file. The bytes of one that this rank may not send are read and dropped.</summary>
    /// <param name="request">Its name, size and hash.</param>
    /// <param name="stream">Its bytes.</param>
    /// <param name="onBytes">Called as they come.</param>
    /// <exception cref="InvalidDataException">It has too many bytes, which are not read.</exception>
    public PortReply Receive(PortRequest request, Stream stream, Action onBytes)
    {
        if (request.Size is < 0 or > ResultFile.MaxLinesBytes)
            throw new InvalidDataException(FormattableString.Invariant($"a file of {request.Size} bytes"));
        _received.Remove(request.Name);
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        long rest = request.Size;
        string? problem = FindProblem(request) ?? TryStore(request.Name, stream, hash, ref rest, onBytes);
        Copy(stream, Stream.Null, hash, ref rest, onBytes);
        problem ??= Convert.ToHexStringLower(hash.GetHashAndReset()) == request.Hash ? null : $"{request.Name}: another hash than that of the file sent";
        if (problem is null)
            _received[request.Name] = request.Size;
        return new(problem is null, Problem: problem);
    }

    private string? FindProblem(PortRequest request) => !IsName(request.Name) || !(isResult(request.Name) || request.Name == ResultName)
        ? FormattableString.Invariant($"{PrintableText.From(request.Name)} is not a file of rank {rank}")
        : _received.Count >= MaxFiles || _received.Values.Sum() + request.Size > MaxBytes
        ? FormattableString.Invariant($"rank {rank} sends too many files, or too many bytes") : null;

    // An error of the connection comes again with the next bytes.
    private string? TryStore(string name, Stream stream, IncrementalHash hash, ref long rest, Action onBytes)
    {
        try
        {
            Directory.CreateDirectory(_staging);
            using FileStream file = new(Path.Combine(_staging, name), FileMode.Create, FileAccess.Write);
            Copy(stream, file, hash, ref rest, onBytes);
            return null;
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return $"{name}: cannot be written: {FileErrors.Describe(name, cause)}";
        }
    }

    private static void Copy(Stream from, Stream into, IncrementalHash hash, ref long rest, Action onBytes)
    {
        byte[] piece = new byte[PieceBytes];
        while (rest > 0)
        {
            int length = from.Read(piece, 0, (int)Math.Min(piece.Length, rest));
            if (length == 0)
                throw new EndOfStreamException();
            rest -= length;
            hash.AppendData(piece, 0, length);
            into.Write(piece, 0, length);
            onBytes();
        }
    }

    private static string StagingOf(string folder, int rank) => Path.Combine(folder, FormattableString.Invariant($"from-{rank}"));

    // The rank learns how much is here: what it sent last may have come although no answer did.
    private PortReply Add(PortRequest request)
    {
        string path = ShownPathOf(store.Folder, rank, request.Name), shown = Path.GetDirectoryName(path)!;
        try
        {
            Directory.CreateDirectory(shown);
            if (!File.Exists(path) && Directory.GetFiles(shown).Length >= MaxShownFiles)
                return new(false, Problem: FormattableString.Invariant($"rank {rank} shows too many files"));
            using FileStream file = new(path, FileMode.OpenOrCreate, FileAccess.Write, FileShare.Read);
            byte[] lines = Encoding.UTF8.GetBytes(request.Text ?? "");
            if (file.Length == request.Size && file.Length + lines.Length <= MaxShownBytes)
            {
                file.Position = file.Length;
                file.Write(lines);
            }

            return new(true, file.Length.ToString(CultureInfo.InvariantCulture));
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return new(false, Problem: FileErrors.Describe(path, cause));
        }
    }

    private static bool IsName(string name) => name.Length is > 0 and <= MaxNameChars && name[0] != '.'
        && name.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '.' or '-' or '_');

    private static PortReply Refuse(PortRequest request) =>
        new(false, Problem: $"{PrintableText.From(request.Kind)} of {PrintableText.From(request.Name)} is not for this rank");

    private PortReply Write(PortRequest request)
    {
        store.Write(request.Name, request.Text ?? "");
        return new(true);
    }

    // The result of the rank comes last: where it is, all files are.
    private PortReply Complete(long count)
    {
        if (count != _received.Count || !_received.ContainsKey(ResultName))
            return new(false, Problem: FormattableString.Invariant($"{_received.Count} files of {count} have come"));
        try
        {
            foreach (string name in _received.Keys.OrderBy(name => name == ResultName))
                File.Move(Path.Combine(_staging, name), name == ResultName ? store.PathOf(name) : Path.Combine(folder, name), overwrite: true);
            Directory.Delete(_staging, recursive: true);
            _received.Clear();
            return new(true);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return new(false, Problem: FileErrors.Describe(folder, cause));
        }
    }
}

using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace LatencyPerf.Links;

/// <summary>
/// Memory of Linux without a file, sealed so that no process can truncate it while it is mapped, which would end its users by a signal.
/// </summary>
/// <remarks>
/// A file of one line says where other processes of this user find it: <c>/proc/123/fd/45</c>, so both sides must see the same processes.
/// </remarks>
internal static partial class SealedMemory
{
    private const uint CloseOnExec = 1, AllowSealing = 2;
    private const int AddSeals = 1033, GetSeals = 1034;
    private const int SealSeals = 1, SealShrinking = 2, SealGrowing = 4;
    private const int OpenReadWrite = 2, OpenCloseOnExec = 0x80000;
    private const int MaxLineBytes = 64;
    private const int MaxShare = 2; // of the whole memory, the default of a folder of shared memory

    /// <summary>Creates the memory, with its space reserved, and the file with its path.</summary>
    /// <exception cref="IOException">There is no such space, or no such file can be created.</exception>
    public static SharedRegion Create(string path, long bytes)
    {
        SharedRegion region = Create(Path.GetFileName(path), bytes, out nint descriptor);
        try
        {
            using FileStream file = OwnFile.CreateNew(path);
            file.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"/proc/{Environment.ProcessId}/fd/{descriptor}\n")));
            return region;
        }
        catch
        {
            region.Dispose();
            throw;
        }
    }

    /// <summary>Opens the memory that a file names.</summary>
    /// <exception cref="IOException">It does not exist, is not this user's, or could be truncated.</exception>
    public static SharedRegion Open(string path)
    {
        string place = ReadPlace(path);
        SafeFileHandle memory = OpenFile(place, OpenReadWrite | OpenCloseOnExec);
        try
        {
            if (memory.IsInvalid)
                throw new IOException($"{place} cannot be opened: {Describe(Marshal.GetLastPInvokeError())}; do both sides see the same processes?");
            if (OwnFile.FindProblem(memory) is { } problem)
                throw new IOException(problem);
            int seals = Control(memory, GetSeals, 0);
            if (seals < 0 || (seals & SealShrinking) == 0)
                throw new IOException("it names no memory that cannot shrink");
            return SharedRegion.Map(memory, RandomAccess.GetLength(memory), isSealed: true);
        }
        catch
        {
            memory.Dispose();
            throw;
        }
    }

    private static SharedRegion Create(string name, long bytes, out nint descriptor)
    {
        if (bytes > GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / MaxShare)
            throw new IOException("there is not enough memory"); // otherwise the system would kill the process that touches it
        SafeFileHandle memory = CreateMemory(name, CloseOnExec | AllowSealing);
        try
        {
            Demand(!memory.IsInvalid, Marshal.GetLastPInvokeError());
            int error = Reserve(memory, 0, (nint)bytes);
            Demand(error == 0, error);
            Demand(Control(memory, AddSeals, SealSeals | SealShrinking | SealGrowing) == 0, Marshal.GetLastPInvokeError());
            descriptor = memory.DangerousGetHandle();
            return SharedRegion.Map(memory, bytes, isSealed: true);
        }
        catch
        {
            memory.Dispose();
            throw;
        }
    }

    // Reads two numbers, and uses nothing else of the file's text.
    private static string ReadPlace(string path)
    {
        using FileStream file = OwnFile.OpenExisting(path);
        Span<byte> room = stackalloc byte[MaxLineBytes];
        string line = Encoding.ASCII.GetString(room[..file.ReadAtLeast(room, MaxLineBytes, throwOnEndOfStream: false)]).TrimEnd('\n');
        string[] parts = line.Split('/');
        if (parts is ["", "proc", var process, "fd", var descriptor]
            && int.TryParse(process, NumberStyles.None, CultureInfo.InvariantCulture, out int processId)
            && int.TryParse(descriptor, NumberStyles.None, CultureInfo.InvariantCulture, out int number))
        {
            return string.Create(CultureInfo.InvariantCulture, $"/proc/{processId}/fd/{number}");
        }

        throw new IOException("it does not say where the memory is");
    }

    private static void Demand(bool isWell, int error)
    {
        if (!isWell)
            throw new IOException(Describe(error));
    }

    private static string Describe(int error) => Marshal.GetPInvokeErrorMessage(error);

    [LibraryImport("libc", EntryPoint = "memfd_create", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle CreateMemory(string name, uint flags);

    [LibraryImport("libc", EntryPoint = "posix_fallocate")]
    private static partial int Reserve(SafeFileHandle memory, nint offset, nint bytes);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int Control(SafeFileHandle memory, int command, int argument);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle OpenFile(string path, int flags);
}

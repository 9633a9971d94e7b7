using Microsoft.Win32.SafeHandles;

namespace PerfCommon;

/// <summary>Opens files that other programs may have created: links, pipes, devices and folders are refused without waiting.</summary>
internal static class RegularFile
{
    /// <summary>Opens a file for reading; another program may be writing it.</summary>
    /// <exception cref="IOException">It does not exist, or is no regular file; other exceptions as <see cref="File.OpenRead"/>.</exception>
    public static Stream OpenRead(string path)
    {
        if (!LinuxFile.IsUsed)
            return OpenPortable(path);
        if (Directory.Exists(path))
            throw new IOException("it is a folder");
        SafeFileHandle file = LinuxFile.Open(path, LinuxFile.ReadOnly);
        if (LinuxFile.TryDescribe(file, out _, out bool isRegular) && isRegular)
            return new FileStream(file, FileAccess.Read, bufferSize: 0);
        file.Dispose();
        throw new IOException("it is no regular file");
    }

    // A file without length is empty, and is not opened: it may be a pipe, which would wait for its writer.
    private static Stream OpenPortable(string path)
    {
        FileInfo file = new(path);
        if (file.LinkTarget is not null)
            throw new IOException("it is a link");
        return file is { Exists: true, Length: 0 } ? new MemoryStream([], writable: false)
            : new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
    }
}

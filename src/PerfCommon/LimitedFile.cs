using System.Globalization;

namespace PerfCommon;

/// <summary>Reads whole files whose size others decide: never more than a limit.</summary>
internal static class LimitedFile
{
    /// <summary>Reads a file, also a pipe, into memory that grows with what was read.</summary>
    /// <param name="path">Its name.</param>
    /// <param name="maxBytes">The largest file that is taken.</param>
    /// <exception cref="IOException">It is larger, or cannot be read; other exceptions as <see cref="File.OpenRead"/>.</exception>
    public static byte[] Read(string path, int maxBytes)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete, bufferSize: 0);
        return Read(file, maxBytes);
    }

    /// <summary>Reads a file as text: UTF-8, or what its byte order mark says.</summary>
    /// <inheritdoc cref="Read(string, int)"/>
    public static string ReadText(string path, int maxBytes)
    {
        using StreamReader text = new(new MemoryStream(Read(path, maxBytes), writable: false));
        return text.ReadToEnd();
    }

    /// <inheritdoc cref="Read(string, int)"/>
    /// <param name="file">Read from where it is to its end.</param>
    /// <param name="maxBytes">The most that is taken.</param>
    public static byte[] Read(Stream file, int maxBytes)
    {
        const int PieceBytes = 64 * 1024;
        using MemoryStream content = new();
        byte[] piece = new byte[PieceBytes];
        for (int bytes = file.Read(piece); bytes > 0; bytes = file.Read(piece))
        {
            if (content.Length + bytes > maxBytes)
                throw new IOException(string.Create(CultureInfo.InvariantCulture, $"more than {maxBytes} bytes"));
            content.Write(piece, 0, bytes);
        }

        return content.ToArray();
    }
}

using System.Globalization;

namespace PerfCommon;

/// <summary>Reads complete files from other programs up to a maximum size.</summary>
internal static class LimitedFile
{
    /// <summary>Reads a file, also a pipe, into memory that grows with the bytes read.</summary>
    /// <param name="path">Its name.</param>
    /// <param name="maxBytes">The maximum accepted size.</param>
    /// <exception cref="IOException">It is larger, or cannot be read; other exceptions as <see cref="File.OpenRead"/>.</exception>
    public static byte[] Read(string path, int maxBytes)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete, bufferSize: 0);
        return Read(file, maxBytes);
    }

    /// <summary>Reads a file as text: UTF-8, or the encoding of its byte order mark.</summary>
    /// <inheritdoc cref="Read(string, int)"/>
    public static string ReadText(string path, int maxBytes)
    {
        using StreamReader text = new(new MemoryStream(Read(path, maxBytes), writable: false));
        return text.ReadToEnd();
    }

    /// <inheritdoc cref="Read(string, int)"/>
    /// <param name="file">Read from its position to its end.</param>
    /// <param name="maxBytes">The maximum accepted size.</param>
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

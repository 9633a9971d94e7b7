namespace PerfCommon.Transport.Compression;

/// <summary>How the frames of a connection may be compressed; the values of the connect ack.</summary>
public enum CompressionType
{
    /// <summary>Never.</summary>
    None = 0,

    /// <summary>One zlib stream per direction, flushed at the end of each body.</summary>
    Zlib = 1,

    /// <summary>Each body an LZ4 block of its own.</summary>
    Lz4 = 2,
}

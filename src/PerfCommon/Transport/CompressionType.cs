namespace PerfCommon.Transport;

/// <summary>Compression of frame bodies, as the connect ack names it.</summary>
public enum CompressionType : ushort
{
    /// <summary>No compression.</summary>
    None = 0,

    /// <summary>One zlib stream per direction.</summary>
    Zlib = 1,

    /// <summary>One LZ4 block per body.</summary>
    Lz4 = 2,
}

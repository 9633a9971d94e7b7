namespace PerfTools.Hosting.Options;

/// <summary>The compression that is asked for; the values are those of the wire.</summary>
internal enum CompressionKind
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>zlib, one stream per direction.</summary>
    Zlib = 1,

    /// <summary>LZ4 blocks.</summary>
    Lz4 = 2,
}

namespace PerfCommon.Transport.Compression;

/// <summary>How hard the LZ4 encoder tries. Every level is taken and treated as <see cref="L00_FAST"/>.</summary>
/// <remarks>The names are those of the package this codec stands in for, so that a swap is one line.</remarks>
#pragma warning disable CA1707 // the package's own names
internal enum LZ4Level
{
    /// <summary>The fast, greedy encoder.</summary>
    L00_FAST = 0,

    /// <summary>Asked for as high compression 3; treated as fast.</summary>
    L03_HC = 3,

    /// <summary>Asked for as high compression 9; treated as fast.</summary>
    L09_HC = 9,

    /// <summary>Asked for as optimal 10; treated as fast.</summary>
    L10_OPT = 10,

    /// <summary>Asked for as optimal 11; treated as fast.</summary>
    L11_OPT = 11,

    /// <summary>Asked for as maximum; treated as fast.</summary>
    L12_MAX = 12,
}
#pragma warning restore CA1707

using PerfCommon.Codec;

namespace PerfCommon.Tests.Codec;

/// <summary>The codec reported bytes as bad; thrown by the tests' own walk only, never by the codec.</summary>
internal sealed class BadBytesException(DecodeResult result) : Exception(result.ToString())
{
    public DecodeResult Result { get; } = result;
}

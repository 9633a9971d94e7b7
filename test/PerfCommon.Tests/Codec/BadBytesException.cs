using PerfCommon.Codec;

namespace PerfCommon.Tests.Codec;

/// <summary>Reports bytes that the codec found malformed; thrown by the tests' walk only, never by the codec.</summary>
internal sealed class BadBytesException(DecodeResult result) : Exception(result.ToString())
{
    public DecodeResult Result { get; } = result;
}

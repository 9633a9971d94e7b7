namespace PerfCommon.Domains;

/// <summary>Names of the directory elements that mean something to us.</summary>
internal static class DirectoryElements
{
    public static ReadOnlySpan<byte> Name => "Name"u8;

    public static ReadOnlySpan<byte> Vendor => "Vendor"u8;

    public static ReadOnlySpan<byte> IsSource => "IsSource"u8;

    public static ReadOnlySpan<byte> Capabilities => "Capabilities"u8;

    public static ReadOnlySpan<byte> DictionariesProvided => "DictionariesProvided"u8;

    public static ReadOnlySpan<byte> DictionariesUsed => "DictionariesUsed"u8;

    public static ReadOnlySpan<byte> Qos => "QoS"u8;

    public static ReadOnlySpan<byte> SupportsQosRange => "SupportsQoSRange"u8;

    public static ReadOnlySpan<byte> SupportsOutOfBandSnapshots => "SupportsOutOfBandSnapshots"u8;

    public static ReadOnlySpan<byte> OpenLimit => "OpenLimit"u8;

    public static ReadOnlySpan<byte> ServiceState => "ServiceState"u8;

    public static ReadOnlySpan<byte> AcceptingRequests => "AcceptingRequests"u8;
}

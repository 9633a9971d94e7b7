namespace PerfCommon.Domains;

/// <summary>Names of the directory elements that we use.</summary>
internal static class DirectoryElements // wire/domains 3.2
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
    public static ReadOnlySpan<byte> ItemList => "ItemList"u8;
    public static ReadOnlySpan<byte> OpenLimit => "OpenLimit"u8;
    public static ReadOnlySpan<byte> ServiceState => "ServiceState"u8;
    public static ReadOnlySpan<byte> AcceptingRequests => "AcceptingRequests"u8;
    public static ReadOnlySpan<byte> Status => "Status"u8;
    public static ReadOnlySpan<byte> Group => "Group"u8;
    public static ReadOnlySpan<byte> MergedToGroup => "MergedToGroup"u8;
}

/// <summary>Bits of the filter in directory keys; a filter entry's id is the number of the bit, counted from 1.</summary>
internal static class DirectoryFilter // wire/domains 3.1
{
    public const uint Info = 0x01; // identity and capabilities of the service
    public const uint State = 0x02; // whether the service is up
    public const uint Group = 0x04; // states of item groups
    public const uint Load = 0x08; // capacity of the service
    // wire/domains 3.1
    public const uint OfConsumers = Info | State | Group; // requested by our consumers

    public const byte InfoId = 1; // wire/domains 3.2
    public const byte StateId = 2; // wire/domains 3.2
    public const byte GroupId = 3; // wire/domains 3.2
    public const byte LoadId = 4; // wire/domains 3.2
}

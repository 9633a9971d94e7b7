namespace PerfCommon.Domains;

/// <summary>Bits of the filter in directory keys; a filter entry's id is the number of the bit, counted from 1.</summary>
internal static class DirectoryFilter
{
    /// <summary>What the service is.</summary>
    public const uint Info = 0x01;

    /// <summary>Whether it works.</summary>
    public const uint State = 0x02;

    /// <summary>States of item groups.</summary>
    public const uint Group = 0x04;

    /// <summary>How much it can take.</summary>
    public const uint Load = 0x08;

    /// <summary>What our consumers ask for.</summary>
    public const uint OfConsumers = Info | State | Group;

    internal const byte InfoId = 1;
    internal const byte StateId = 2;
    internal const byte LoadId = 4;
}

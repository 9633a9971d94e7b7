using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>What a directory says after its first refresh, made by hand: our providers never say it. The service is 1.</summary>
internal static class DirectoryMessages
{
    private delegate void Elements(ref RwfWriter writer);

    /// <summary>The service is up or down.</summary>
    public static byte[] Service(bool isUp) =>
        Update(DirectoryFilter.StateId, (ref writer) => writer.WriteUIntElement(DirectoryElements.ServiceState, isUp ? 1ul : 0));

    /// <summary>All items of the service have this state.</summary>
    public static byte[] Items(StreamState stream, DataState data) =>
        Update(DirectoryFilter.StateId, (ref writer) => WriteStatus(ref writer, stream, data));

    /// <summary>The items of a group have this state.</summary>
    public static byte[] Group(byte[] group, StreamState stream, DataState data) => Update(DirectoryFilter.GroupId, (ref writer) =>
    {
        WriteGroup(ref writer, DirectoryElements.Group, group);
        WriteStatus(ref writer, stream, data);
    });

    /// <summary>The items of a group belong to another.</summary>
    public static byte[] Merge(byte[] group, byte[] into) => Update(DirectoryFilter.GroupId, (ref writer) =>
    {
        WriteGroup(ref writer, DirectoryElements.MergedToGroup, into);
        WriteGroup(ref writer, DirectoryElements.Group, group);
    });

    /// <summary>There is a service of this name.</summary>
    public static byte[] Announce(ushort service, byte[] name, byte[] vendor) => Update(
        DirectoryFilter.InfoId,
        (ref writer) =>
        {
            writer.WriteAsciiElement(DirectoryElements.Name, name);
            writer.WriteAsciiElement(DirectoryElements.Vendor, vendor);
        },
        service);

    private static byte[] Update(byte filter, Elements write, ushort service = 1)
    {
        byte[] room = new byte[32 * 1024];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.Source,
            StreamId = StreamIds.Directory,
            ContainerType = DataType.Map,
        });
        writer.BeginMap(DataType.UInt, DataType.FilterList);
        writer.BeginMapEntry(MapAction.Update, (ulong)service);
        writer.BeginFilterList(DataType.ElementList);
        writer.BeginFilterEntry(FilterAction.Update, filter);
        writer.BeginElementList();
        write(ref writer);
        writer.EndElementList();
        writer.EndEntry();
        writer.EndFilterList();
        writer.EndEntry();
        writer.EndMap();
        Assert.False(writer.Failed);
        return room[..writer.Written];
    }

    private static void WriteStatus(ref RwfWriter writer, StreamState stream, DataState data)
    {
        writer.BeginElement(DirectoryElements.Status, DataType.State);
        writer.WriteState(new RwfState(stream, data));
    }

    private static void WriteGroup(ref RwfWriter writer, ReadOnlySpan<byte> name, byte[] group)
    {
        writer.BeginElement(name, DataType.Buffer);
        writer.WriteContent(group);
    }
}

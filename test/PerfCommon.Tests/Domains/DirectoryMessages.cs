using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>Directory messages after the first refresh that our providers never send, encoded by hand. The service is 1.</summary>
internal static class DirectoryMessages
{
    private delegate void Elements(ref RwfWriter writer);

    /// <summary>Sets the service up or down.</summary>
    public static byte[] Service(bool isUp) =>
        Update(DirectoryFilter.StateId, (ref writer) => writer.WriteUIntElement(DirectoryElements.ServiceState, isUp ? 1ul : 0));

    /// <summary>Sets the state of all items of the service.</summary>
    public static byte[] Items(StreamState stream, DataState data) =>
        Update(DirectoryFilter.StateId, (ref writer) => WriteStatus(ref writer, stream, data));

    /// <summary>Sets the state of a group's items.</summary>
    public static byte[] Group(byte[] group, StreamState stream, DataState data) => Update(DirectoryFilter.GroupId, (ref writer) =>
    {
        WriteGroup(ref writer, DirectoryElements.Group, group);
        WriteStatus(ref writer, stream, data);
    });

    /// <summary>Moves the items of a group to another.</summary>
    public static byte[] Merge(byte[] group, byte[] into) => Update(DirectoryFilter.GroupId, (ref writer) =>
    {
        WriteGroup(ref writer, DirectoryElements.MergedToGroup, into);
        WriteGroup(ref writer, DirectoryElements.Group, group);
    });

    /// <summary>Announces a service of this name.</summary>
    public static byte[] Announce(ushort service, byte[] name, byte[] vendor) => Update(
        DirectoryFilter.InfoId,
        (ref writer) =>
        {
            writer.WriteAsciiElement(DirectoryElements.Name, name);
            writer.WriteAsciiElement(DirectoryElements.Vendor, vendor);
        },
        service);

    /// <summary>Changes the vendor of a service.</summary>
    public static byte[] Vendor(ushort service, byte[] vendor, FilterAction action = FilterAction.Update) => Update(
        DirectoryFilter.InfoId, (ref writer) => writer.WriteAsciiElement(DirectoryElements.Vendor, vendor), service, action);

    private static byte[] Update(byte filter, Elements write, ushort service = 1, FilterAction action = FilterAction.Update)
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
        writer.BeginFilterEntry(action, filter);
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

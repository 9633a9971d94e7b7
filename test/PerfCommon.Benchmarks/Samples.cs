using System.Buffers.Binary;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;

namespace PerfCommon.Benchmarks;

/// <summary>Data of every benchmark: the project's own dictionary and messages, as the tools read them.</summary>
internal static class Samples
{
    /// <summary>Default bytes of a message of TransportPerf.</summary>
    public const int MessageBytes = 76;

    private const int MostUpdateBytes = 512;
    private const long FirstSequence = 1_234_567;

    public static FieldDictionary Dictionary { get; } =
        DictionaryFiles.Find(null, null, AppContext.BaseDirectory, AppContext.BaseDirectory)!.Load();

    public static MessageData Messages { get; } = MessageData.Load(Path.Combine(AppContext.BaseDirectory, "MsgData.xml"), Dictionary);

    /// <summary>Encodes one complete update message.</summary>
    public static byte[] CreateUpdate(int streamId)
    {
        byte[] room = new byte[MostUpdateBytes];
        return room[..default(UpdateMessage).Encode(room, streamId, Messages.Updates[streamId % Messages.Updates.Count], stamp: 0)];
    }

    /// <summary>Creates the given number of bytes of consecutive updates: they repeat themselves as market data does.</summary>
    public static byte[] CreateStructured(int bytes)
    {
        List<byte> all = [];
        for (int streamId = 1; all.Count < bytes; streamId++)
            all.AddRange(CreateUpdate(streamId));
        return [.. all.Take(bytes)];
    }

    /// <summary>Creates the body of a packed frame of TransportPerf: messages with a sequence number, then zeros, each after its length.</summary>
    public static byte[] CreatePackedMessages(int messages)
    {
        byte[] body = new byte[messages * (MessageBytes + sizeof(ushort))];
        Span<byte> rest = body;
        for (int i = 0; i < messages; i++)
        {
            BinaryPrimitives.WriteUInt16BigEndian(rest, MessageBytes);
            BinaryPrimitives.WriteInt64LittleEndian(rest[sizeof(ushort)..], FirstSequence + i);
            rest = rest[(MessageBytes + sizeof(ushort))..];
        }

        return body;
    }

    /// <summary>Creates the given number of bytes of a packed frame of updates, each after its length.</summary>
    public static byte[] CreatePackedUpdates(int bytes)
    {
        List<byte> all = [];
        for (int streamId = 1; all.Count < bytes; streamId++)
        {
            byte[] update = CreateUpdate(streamId);
            all.AddRange([(byte)(update.Length >> 8), (byte)update.Length, .. update]);
        }

        return [.. all.Take(bytes)];
    }
}

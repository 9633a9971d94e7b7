using System.Buffers.Binary;
using PerfCommon.Workers;
using PerfHub.Services;

namespace PerfHub.FanOut;

/// <summary>What a source thread hands to a session thread. The record's number is the item's slot unless said otherwise.</summary>
internal enum SourceRecord : byte
{
    Received = 1, // the time at which what follows was received, in nanoseconds; the number says nothing
    Update, // a message for every watcher
    Reflection, // the same, of a post
    Generic, // the same
    Status, // the same
    Image, // a refresh for every watcher, of those that wait the answer
    Final, // a status or refresh for every watcher, after which none is left
    Watch, // address: a stream gets the item's messages from now on; its image comes later
    WatchWithAnswer, // address, message: the same, with its image, or a status in its place
    Answer, // address, message: the only answer to a request
    Direct, // address, message: for a stream of a watcher, changing nothing
    Reissued, // address, and a message or none: the answer to a request on a stream that is open
    Await, // address: the only answer to a request comes later
    WatchWithParts, // address, messages behind their lengths: a stream gets the item's messages, and its image in parts
    AnswerInParts, // the same as the only answer to a request
    DirectInParts, // the same for a stream of a watcher, changing nothing
    Moved, // address, and a message or none: the same as Reissued, and the stream gets the messages of this slot from now on
}

/// <summary>What each kind of record is counted as where there are more of it than came; null for what is not counted.</summary>
internal static class SourceRecords
{
    public static Counter? Copies(this SourceRecord kind) => kind switch
    {
        SourceRecord.Update => Counter.UpdatesCopied,
        SourceRecord.Reflection => Counter.PostsCopied,
        SourceRecord.Generic => Counter.GenericCopied,
        _ => null,
    };
}

/// <summary>What a session thread hands to a source thread; what providers send, other source threads, too.</summary>
internal enum SessionRecord : byte
{
    Request = 1, // address, what is asked, name; the number is the key of the service
    Reissue, // address, what is asked, name; the number is the item's slot, as in what follows
    Unwatch, // one watcher less
    Withdraw, // address: nobody waits for the only answer any more
    PosterLeft, // address: nobody waits for what this connection has posted; the number says nothing
    Post, // address, message
    PostByName, // address, message; the number is the key of the service
    Generic, // address, message
    Published, // head, message; the number is that of the non-interactive provider, as in what follows
    PublisherLeft,
    RequestPassed, // address, message; the number is the key of the service: for an item that is passed on without a look
    ReissuePassed, // address, message; the number is the item's slot
}

/// <summary>Which stream of which connection a record is for, and which request of it.</summary>
/// <param name="Session">Number of the connection at its session thread.</param>
/// <param name="StreamId">The stream.</param>
/// <param name="Serial">Number of the request, by which an answer that comes too late is known.</param>
internal readonly record struct StreamAddress(int Session, int StreamId, uint Serial)
{
    public const int Bytes = 3 * sizeof(int);

    public static StreamAddress Read(ReadOnlySpan<byte> bytes) => new(
        BinaryPrimitives.ReadInt32LittleEndian(bytes), BinaryPrimitives.ReadInt32LittleEndian(bytes[4..]),
        BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..]));

    public void Write(Span<byte> room)
    {
        BinaryPrimitives.WriteInt32LittleEndian(room, Session);
        BinaryPrimitives.WriteInt32LittleEndian(room[4..], StreamId);
        BinaryPrimitives.WriteUInt32LittleEndian(room[8..], Serial);
    }
}

/// <summary>What stands in front of a message of a non-interactive provider.</summary>
/// <param name="ReceivedNanos">When it was received.</param>
/// <param name="Service">The service, where it is an image that names its item; else none.</param>
internal readonly record struct PublishedHead(long ReceivedNanos, ServiceKey Service)
{
    public const int Bytes = sizeof(long) + sizeof(int);

    public static PublishedHead Read(ReadOnlySpan<byte> bytes) => new(
        BinaryPrimitives.ReadInt64LittleEndian(bytes), ServiceKey.Of(BinaryPrimitives.ReadInt32LittleEndian(bytes[sizeof(long)..])));

    public void Write(Span<byte> room)
    {
        BinaryPrimitives.WriteInt64LittleEndian(room, ReceivedNanos);
        BinaryPrimitives.WriteInt32LittleEndian(room[sizeof(long)..], Service.Number);
    }
}

/// <summary>What a consumer asks of an item, besides its name.</summary>
[Flags]
internal enum Asked : ushort
{
    None = 0,
    Streaming = 1,
    Private = 2,
    NameType = 4, // the key has a type of the name
    NoRefresh = 8,
    PutOff = 16, // by the session itself, without a name: an image that it did not queue
    Solicited = 32, // an image that was put off was an answer
    OrderBook = 64, // an item of market by order
    View = 128, // some of the fields
    Standby = 256, // images without content, and no updates
    Switch = 512, // by the session itself, with its parts in the place of a name: whether it stands by has changed
}

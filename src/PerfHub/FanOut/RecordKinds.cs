using System.Buffers.Binary;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.Services;

namespace PerfHub.FanOut;

/// <summary>The records that a source thread sends to a session thread. The record's number is the item's slot unless stated otherwise.</summary>
internal enum SourceRecord : byte
{
    Received = 1, // the time at which the following messages were received, in nanoseconds; the number is unused
    Update, // a message for every watcher
    Reflection, // the same, of a post
    Generic, // the same
    Status, // the same
    Image, // a refresh for every watcher; the answer for those that wait
    Final, // a status or refresh for every watcher, after which none is left
    Watch, // address: a stream watches the item from now on; its image follows later
    WatchWithAnswer, // address, message: the same, with its image, or a status in its place
    Answer, // address, message: the only answer to a request
    Direct, // address, message: for a stream of a watcher, changing nothing
    Reissued, // address, and a message or none: the answer to a request on an open stream
    Await, // address: the only answer to a request follows later
    WatchWithParts, // address, messages after their lengths: a stream watches the item, and receives its image in parts
    AnswerInParts, // the same as the only answer to a request
    DirectInParts, // the same for a stream of a watcher, changing nothing
    Moved, // address, and a message or none: the same as Reissued, and the stream watches this slot from now on
}

/// <summary>The counter for copies of each kind of record, where more are sent than were received; null for kinds that are not counted.</summary>
internal static class SourceRecords
{
    public static Counter? Copies(this SourceRecord kind) => kind switch
    {
        SourceRecord.Update => HubCounter.UpdatesCopied,
        SourceRecord.Reflection => HubCounter.PostsCopied,
        SourceRecord.Generic => HubCounter.GenericCopied,
        _ => null,
    };
}

/// <summary>The records that a session thread sends to a source thread; source threads also send what their providers publish.</summary>
internal enum SessionRecord : byte
{
    Request = 1, // address, options, name; the number is the key of the service
    Reissue, // address, options, name; the number is the item's slot, as in the next ones
    Unwatch, // one watcher less
    Withdraw, // address: the only answer is no longer awaited
    PosterLeft, // address: the acknowledgements of this connection's posts are no longer awaited; the number is unused
    Post, // address, message
    PostByName, // address, message; the number is the key of the service
    Generic, // address, message
    Published, // head, message; the number is that of the non-interactive provider, as in the next one
    PublisherLeft,
    RequestPassThrough, // address, message; the number is the key of the service: for an item that is passed on unread
    ReissuePassThrough, // address, message; the number is the item's slot
}

/// <summary>The address of a record: stream, connection, and request.</summary>
/// <param name="Session">Number of the connection in its session thread.</param>
/// <param name="StreamId">Id of the stream.</param>
/// <param name="Serial">Number of the request, by which a late answer is recognized.</param>
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

/// <summary>The head before a message of a non-interactive provider.</summary>
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

/// <summary>The options of a consumer's request for an item.</summary>
[Flags]
internal enum ItemRequestMarks : ushort
{
    None = 0,
    Streaming = 1,
    Private = 2,
    NameType = 4, // the key has a type of the name
    NoRefresh = 8,
    Deferred = 16, // sent by the session itself, without a name: an image that it did not queue
    Solicited = 32, // the deferred image was an answer
    OrderBook = 64, // an item of market by order
    View = 128, // some of the fields
    Standby = 256, // images without content, and no updates
    Switch = 512, // sent by the session itself, with its standby parts in place of a name: whether it stands by has changed
}

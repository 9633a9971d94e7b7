using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>Dispatches the records of session threads by their kind: requests for items of one source thread, and messages to them.</summary>
/// <param name="items">The items.</param>
/// <param name="requests">Handles requests for items whose images are cached.</param>
/// <param name="passed">Handles requests for other items.</param>
/// <param name="snapshots">The requests that wait for an image.</param>
/// <param name="posts">Relays messages to items.</param>
internal sealed class RequestDispatcher(
    ItemCache items, ItemRequests requests, PassThroughRequests passed, SnapshotAnswers snapshots, PostRelay posts)
{
    /// <summary>Handles a record of a session thread.</summary>
    /// <param name="session">Number of the thread.</param>
    /// <param name="record">The record.</param>
    public void Receive(int session, RingRecord record)
    {
        switch ((SessionRecord)record.Kind)
        {
            case SessionRecord.Request:
                requests.Receive(session, ServiceKey.Of(record.Number), RequestedItem.Read(record.Bytes));
                break;
            case SessionRecord.Reissue:
                requests.ReceiveReissue(session, items.Table[record.Number]!, RequestedItem.Read(record.Bytes));
                break;
            case SessionRecord.RequestPassThrough:
                passed.Receive(session, ServiceKey.Of(record.Number), record.Bytes);
                break;
            case SessionRecord.ReissuePassThrough:
                passed.ReceiveReissue(session, items.Table[record.Number]!, record.Bytes);
                break;
            case SessionRecord.Unwatch:
                items.Leave(items.Forms.Leave(items.Table[record.Number]!, session));
                break;
            case SessionRecord.Withdraw:
                snapshots.Withdraw(items.Table[record.Number], session, StreamAddress.Read(record.Bytes));
                break;
            case SessionRecord.Post:
                posts.Receive(session, items.Table[record.Number]!, record.Bytes);
                break;
            case SessionRecord.PostByName:
                posts.ReceiveByName(session, ServiceKey.Of(record.Number), record.Bytes);
                break;
            case SessionRecord.Generic:
                posts.ReceiveGeneric(items.Table[record.Number]!.Whole, record.Bytes[StreamAddress.Bytes..]);
                break;
            default:
                throw new InvalidOperationException($"a record of kind {record.Kind} for a source");
        }
    }
}

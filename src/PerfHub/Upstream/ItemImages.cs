using PerfCommon.Codec;
using PerfHub.Cache;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>Encodes the images of the items of one source thread from the cache, and of forms of them.</summary>
/// <remarks>One owner thread; a result is valid until the next call.</remarks>
/// <param name="items">The items.</param>
/// <param name="views">The views of all consumers.</param>
internal sealed class ItemImages(ItemCache items, ViewTable views)
{
    private readonly ImageEncoder _encoder = new();
    private readonly ItemForms _forms = items.Forms;

    /// <summary>Returns the form of an item that a consumer receives.</summary>
    public ItemForm FormOf(RequestedItem asked) => new(views.Find(asked.View), asked.Has(ItemRequestMarks.Private), asked.Has(ItemRequestMarks.Standby));

    /// <summary>Encodes the image of an item, or of a form of it.</summary>
    public ReadOnlySpan<byte> EncodeImage(CachedItem watched, int streamId, StreamState stream, bool isSolicited, bool hasNameType) =>
        Encode(watched.Whole, watched.Form, streamId, StateOf(watched.Whole, stream), isSolicited, hasNameType);

    /// <summary>Encodes the cached image; for a source without requests, the answer for an item that is not cached.</summary>
    public ReadOnlySpan<byte> EncodeAnswer(CachedItem item, RequestedItem asked, StreamState stream) =>
        Encode(item, ItemForms.Of(item, FormOf(asked)), asked.Address.StreamId, StateOfAnswer(item, stream), isSolicited: true,
            asked.Has(ItemRequestMarks.NameType));

    /// <summary>Encodes the only answer to a request: the image, or the message that has ended the item.</summary>
    public ReadOnlySpan<byte> EncodeSnapshot(CachedItem item, ItemForm form, int streamId)
    {
        if (!item.IsOver)
            return Encode(item, form, streamId, StateOf(item, StreamState.NonStreaming), isSolicited: true, item.Terms.HasNameType);
        byte[] message = item.Snapshots!.FinalMessage;
        return form.IsPrivate && RwfMsg.TryDecode(message, out RwfMsg final) == DecodeResult.Success ? _forms.AsPrivate(final) : message;
    }

    /// <summary>Encodes an image with a given state.</summary>
    public ReadOnlySpan<byte> Encode(CachedItem item, ItemForm form, int streamId, scoped in RwfState state, bool isSolicited, bool hasNameType) =>
        _encoder.Encode(
            new ImageHead
            {
                StreamId = streamId,
                Domain = item.Domain,
                ServiceId = item.Service.Service.Id,
                Name = item.Name,
                HasNameType = hasNameType,
                IsSolicited = isSolicited,
                IsPrivate = item.Terms.IsPrivate || form.IsPrivate,
                State = state,
                Qos = item.Image.Qos,
            },
            form.IsStandby ? _forms.BlankOf(item.Domain) : item.Read(items.Merger), form.IsStandby ? null : form.View);

    /// <summary>Returns the state of an item that may have no image.</summary>
    public static RwfState StateOfAnswer(CachedItem item, StreamState stream) =>
        item.Image.Exists ? StateOf(item, stream) : new(stream, item.Service.Source.UncachedData);

    private static RwfState StateOf(CachedItem item, StreamState stream) =>
        new(stream, item.Image is { IsOk: true, IsPartial: false } ? DataState.Ok : DataState.Suspect);
}

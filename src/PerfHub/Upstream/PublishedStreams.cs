using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfHub.Memory;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>The streams of one non-interactive provider: the source thread of each stream's item, and the memory of the items.</summary>
/// <remarks>One owner thread.</remarks>
/// <param name="openLimit">Maximum number of items that it may publish.</param>
internal sealed class PublishedStreams(int openLimit)
{
    private readonly StreamMap<Stream> _streams = new();
    private readonly ItemNames _names = new();
    private long _imageBytes;

    /// <summary>Approximate bytes of its items.</summary>
    public long KeptBytes => _imageBytes + _names.KeptBytes + ((long)_streams.Count * CachedItem.OverheadBytes);

    /// <summary>Returns the number of the source thread that has the item of a stream; null for a stream without one.</summary>
    public int? HostOf(int streamId) => _streams.Find(streamId) is { IsOpen: true } stream ? stream.Host : null;

    /// <summary>Adds the stream of an image that names its item: the first image on a stream decides the item, and so its source thread.</summary>
    /// <param name="image">The image.</param>
    /// <param name="owners">The source thread of each item.</param>
    /// <param name="claimant">Number of the thread that gets an item without one; null for any thread.</param>
    /// <returns>False when the maximum is reached.</returns>
    public bool TryEnter(scoped in RwfMsg image, ItemOwners owners, int? claimant)
    {
        Stream stream = _streams.Find(image.StreamId);
        if (stream.IsOpen)
        {
            _imageBytes += image.Payload.Length - stream.ImageBytes;
            _streams.Set(image.StreamId, stream with { ImageBytes = image.Payload.Length });
            return true;
        }

        if (DomainMsg.EndsStream(image))
            return true; // it ends a stream that never had an item
        if (_streams.Count >= openLimit || !_names.TryAdd(image.Key.Name.Length))
            return false;
        _imageBytes += image.Payload.Length;
        _streams.Add(image.StreamId,
            new Stream(IsOpen: true, (byte)owners.HostOf(image.Key.Name, claimant), (byte)image.Key.Name.Length, image.Payload.Length));
        return true;
    }

    /// <summary>Removes a stream that has ended.</summary>
    public void Remove(int streamId)
    {
        Stream stream = _streams.Find(streamId);
        if (!stream.IsOpen)
            return;
        _streams.Remove(streamId);
        _names.Remove(stream.NameBytes);
        _imageBytes -= stream.ImageBytes;
    }

    private readonly record struct Stream(bool IsOpen, byte Host, byte NameBytes, int ImageBytes);
}

using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>The routes from one thread to all source threads, for the messages of the non-interactive providers on its connections.</summary>
/// <param name="worker">Its worker.</param>
/// <param name="local">The source thread that it is itself; null for a thread that only serves consumers.</param>
/// <param name="senders">The senders by the numbers of the source threads; null for itself.</param>
internal sealed class PublisherRoutes(Worker worker, UpstreamThread? local, RingSender?[] senders)
{
    private int _providers;

    public required ServiceTable Services { get; init; }

    public required ItemOwners Owners { get; init; }

    /// <summary>Maximum number of items that one provider may publish.</summary>
    public required int OpenLimit { get; init; }

    /// <summary>The dictionary for consumers of their services.</summary>
    public required DictionaryProvider Dictionary { get; init; }

    public WorkerRecording Recording => worker.Recording;

    public TimeSource Time => worker.Time;

    public UpstreamThread? Local => local;

    /// <summary>Number of source threads.</summary>
    public int Count => senders.Length;

    /// <summary>Number of the source thread for messages without an item.</summary>
    public int Home => local?.Number ?? 0;

    /// <summary>True while publishers' messages should not be sent to other threads.</summary>
    public bool IsCrowded
    {
        get
        {
            foreach (RingSender? sender in senders)
            {
                if (sender is { IsCrowded: true })
                    return true;
            }

            return false;
        }
    }

    /// <summary>
    /// True while providers may be read: a message of maximum length can be stored here, or sent to another thread. For a source thread.
    /// </summary>
    public bool HasRoom => local!.MayRead() && !IsCrowded;

    /// <summary>Returns the sender to a source thread; null where that is this thread.</summary>
    public RingSender? To(int host) => senders[host];

    /// <summary>Returns a number for a provider, by which the source threads know it.</summary>
    public int NextNumber() => ++_providers;

    /// <summary>Stops reading a provider's channel while there is no space. For a source thread.</summary>
    public void HoldWhileFull(RsslChannel channel)
    {
        if (!HasRoom)
            local!.Hold(channel);
    }

    /// <summary>Makes the sent records visible to the other threads.</summary>
    public void Publish()
    {
        foreach (RingSender? sender in senders)
            sender?.Publish();
    }

    /// <summary>Marks the end: no publisher sends any more.</summary>
    public void Finish()
    {
        foreach (RingSender? sender in senders)
            sender?.Finish();
    }

    /// <inheritdoc cref="RingSender.HasWork"/>
    public bool HasWork() => Array.Exists(senders, static sender => sender?.HasWork() == true);
}

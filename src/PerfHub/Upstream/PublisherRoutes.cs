using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>The ways of one thread to all source threads, for what the non-interactive providers of its connections send.</summary>
/// <param name="worker">Its worker.</param>
/// <param name="local">The source thread that it is itself; null for one that only serves consumers.</param>
/// <param name="senders">By the numbers of the source threads; null for itself.</param>
internal sealed class PublisherRoutes(Worker worker, SourceHost? local, RingSender?[] senders)
{
    private int _providers;

    public required ServiceTable Services { get; init; }

    public required ItemOwners Owners { get; init; }

    /// <summary>Items that one provider may publish.</summary>
    public required int OpenLimit { get; init; }

    /// <summary>What consumers of their services get.</summary>
    public required DictionaryProvider Dictionary { get; init; }

    public WorkerRecording Recording => worker.Recording;

    public TimeSource Time => worker.Time;

    public SourceHost? Local => local;

    /// <summary>Source threads that there are.</summary>
    public int Count => senders.Length;

    /// <summary>Number of the source thread that gets what belongs to no item.</summary>
    public int Home => local?.Number ?? 0;

    /// <summary>True while nothing more of publishers should be handed to another thread.</summary>
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

    /// <summary>True while providers may be read: a message of full length can be taken, or handed on. Of a source thread.</summary>
    public bool HasRoom => local!.MayRead() && !IsCrowded;

    /// <summary>The way to a source thread; null where that is this thread.</summary>
    public RingSender? To(int host) => senders[host];

    /// <summary>A number for a provider, by which the source threads know it.</summary>
    public int NextNumber() => ++_providers;

    /// <summary>Has a provider's channel read no further while there is no room. Of a source thread.</summary>
    public void HoldWhileFull(RsslChannel channel)
    {
        if (!HasRoom)
            local!.Hold(channel);
    }

    /// <summary>Shows the other threads what was handed over.</summary>
    public void Publish()
    {
        foreach (RingSender? sender in senders)
            sender?.Publish();
    }

    /// <summary>No publisher sends any more.</summary>
    public void Finish()
    {
        foreach (RingSender? sender in senders)
            sender?.Finish();
    }

    /// <inheritdoc cref="RingSender.HasWork"/>
    public bool HasWork() => Array.Exists(senders, static sender => sender?.HasWork() == true);
}

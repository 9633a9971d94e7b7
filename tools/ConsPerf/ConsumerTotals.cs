using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfTools.Hosting.Reporting;

namespace ConsPerf;

/// <summary>Turns what workers counted and recorded into the figures of the summary.</summary>
internal sealed class ConsumerTotals(ConsumerCrew crew, int items, LatencyUnit unit)
{
    /// <summary>A worker's counters as the reports name them.</summary>
    public static ConsumerCounts CountsOf(ConsumerWorker worker)
    {
        ConsumerCounters counters = worker.Counters;
        return new ConsumerCounts
        {
            RequestsSent = counters.RequestsSent.Value,
            RefreshesReceived = counters.RefreshesReceived.Value,
            StartupUpdates = counters.StartupUpdates.Value,
            SteadyUpdates = counters.SteadyUpdates.Value,
            DrainedUpdates = counters.DrainedUpdates.Value,
            StatusesReceived = counters.StatusesReceived.Value,
            GenericReceived = counters.GenericsReceived.Value,
            MessagesDropped = counters.MessagesDropped.Value,
            FieldsSkipped = counters.FieldsSkipped.Value,
            LatencyRecordsDropped = worker.LatencyRecords?.DroppedCount ?? 0,
        };
    }

    /// <summary>One worker's figures, by its own images.</summary>
    public static ConsumerFigures Of(ConsumerWorker worker, LatencyUnit unit) => new()
    {
        Items = worker.ItemCount,
        FirstRequestNanos = worker.FirstRequestNanos,
        ImagesCompleteNanos = worker.ImagesCompleteNanos,
        FirstUpdateNanos = worker.FirstUpdateNanos,
        EndNanos = worker.EndNanos ?? 0,
        Counts = CountsOf(worker),
        StartupLatency = Figures(unit, sum => worker.UpdateLatency.AddPhaseTo(sum, RunPhase.Startup)),
        SteadyLatency = Figures(unit, sum => worker.UpdateLatency.AddPhaseTo(sum, RunPhase.Steady)),
        OverallLatency = Figures(unit, worker.UpdateLatency.AddWholeTo),
        SendLag = Figures(LatencyUnit.Microseconds, worker.SendLag.AddWholeTo),
    };

    /// <summary>All workers together, by the images of all of them.</summary>
    public ConsumerFigures All()
    {
        IReadOnlyList<ConsumerWorker> workers = crew.Workers;
        return new ConsumerFigures
        {
            Items = items,
            FirstRequestNanos = workers.Min(worker => worker.FirstRequestNanos),
            ImagesCompleteNanos = crew.Images.IsComplete ? crew.Images.CompleteNanos : null,
            FirstUpdateNanos = workers.Min(worker => worker.FirstUpdateNanos),
            EndNanos = workers.Max(worker => worker.EndNanos) ?? 0,
            Counts = workers.Aggregate(default(ConsumerCounts), (sum, worker) => sum + CountsOf(worker)),
            StartupLatency = Sum(unit, (worker, sum) => worker.UpdateLatency.AddOverallPhaseTo(sum, RunPhase.Startup)),
            SteadyLatency = Sum(unit, (worker, sum) => worker.UpdateLatency.AddOverallPhaseTo(sum, RunPhase.Steady)),
            OverallLatency = Sum(unit, (worker, sum) => worker.UpdateLatency.AddWholeTo(sum)),
            SendLag = Sum(LatencyUnit.Microseconds, (worker, sum) => worker.SendLag.AddWholeTo(sum)),
        };
    }

    private LatencyFigures Sum(LatencyUnit unitOfSum, Action<ConsumerWorker, LatencyAccumulator> add) => Figures(unitOfSum, sum =>
    {
        foreach (ConsumerWorker worker in crew.Workers)
            add(worker, sum);
    });

    private static LatencyFigures Figures(LatencyUnit unit, Action<LatencyAccumulator> add)
    {
        LatencyAccumulator sum = new(unit);
        add(sum);
        return sum.Figures();
    }
}

using System.Net;
using LatencyPerf.Protocol;
using LatencyPerf.Results;
using LatencyPerf.Rounds;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace LatencyPerf;

/// <summary>A subscriber's run: the test and its last line.</summary>
internal sealed class SubscriberRun : SideRun
{
    private SubscriberRun(LatencyPerfOptions options, RunHost host)
        : base(options, host, GuideText.Subscriber)
    {
    }

    /// <exception cref="SetupException">It could not start.</exception>
    public static RunOutcome Run(LatencyPerfOptions options, RunHost host)
    {
        using SubscriberRun run = new(options, host);
        return run.Execute();
    }

    protected override void Show(SizeResult size)
    {
    }

    private RunOutcome Execute()
    {
        Print(GuideText.Enabled(Options.Transport));
        SubscriberConversation conversation = CreateConversation();
        SubscriberTest test = new(CreatePlan(), conversation, Link, Stop);
        RunOutcome outcome = RunThread("subscriber", test.Run);
        if (outcome.Code == ExitCode.Success && test.Trouble is { } trouble)
            outcome = new RunOutcome(ExitCode.Incomplete, trouble, trouble);
        outcome = Judge(outcome);
        bool isWhole = conversation.Counts is not null;
        SubscriberCounts counts = conversation.CountsSoFar;
        Print(GuideText.Remarks(counts));
        Print(outcome.Code == ExitCode.Success && isWhole
            ? GuideText.Counted(counts, !Options.NoEcho) : GuideText.SoFar(counts) + GuideText.Failed(outcome.Reason));
        Files.WriteFinal(counts, isWhole, test.Cpu, outcome);
        return outcome.WithUnwritten(Files.Failure);
    }

    private SubscriberConversation CreateConversation()
    {
        IPEndPoint? group = Options.Group is { } address ? new(address, Options.Ports.DataGroup) : null;
        Announcement announcement = new(Options.UsesStrictDelivery, Options.NoEcho, Options.Ttl, group);
        return new(new SubscriberRendezvous(Options.DomainId, Options.Cookie, announcement), !Options.NoEcho, Options.UsesStrictDelivery);
    }

    private SubscriberPlan CreatePlan() => new()
    {
        IsBusy = Options.BusyRead,
        SpinNanos = Options.SpinMicros * Clock.NanosPerMicro,
        WaitNanos = Options.WaitSeconds * Clock.NanosPerSecond,
    };
}

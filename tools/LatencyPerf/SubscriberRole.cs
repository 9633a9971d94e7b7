using System.Net;
using LatencyPerf.Links;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using LatencyPerf.Results;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace LatencyPerf;

/// <summary>A subscriber: the test and its last line.</summary>
internal sealed class SubscriberRole : LatencyRole
{
    private readonly SubscriberConversation _conversation;
    private readonly SubscriberTest _test;

    public SubscriberRole(LatencyPerfOptions options, RunHost host, TestPlace place, ILink link)
        : base(options, host, SubscriberReport.Create(options), place, link)
    {
        _conversation = CreateConversation();
        _test = new SubscriberTest(CreatePlan(), _conversation, link, Stop);
    }

    protected override string? Trouble => _test.Trouble;

    private bool IsWhole => _conversation.Counts is not null;

    public override string NameOfThread(int worker) => "subscriber";

    public override void Begin(RunConsole console, long nowNanos)
    {
        base.Begin(console, nowNanos);
        Print(GuideText.Enabled(Options.Transport.Name));
    }

    public override Figures Describe(Figures figures, int? worker, bool isWhole) => figures with { Results = _conversation.CountsSoFar };

    public override RunSummary Describe(RunSummary summary) => summary with { SteadyCpu = _test.Cpu };

    public override RunOutcome Complete(RunOutcome outcome) => outcome with { NotComparableReason = IsWhole ? null : "the test did not end" };

    public override void WriteSummary(TextWriter writer, RunSummary summary)
    {
        SubscriberCounts counts = _conversation.CountsSoFar;
        foreach (string note in summary.Notes)
            writer.Write(note + "\n");
        writer.Write(GuideText.Remarks(counts));
        writer.Write(summary.Outcome.Code == ExitCode.Success && IsWhole
            ? GuideText.Counted(counts, !Options.NoEcho) : GuideText.SoFar(counts) + GuideText.Failed(summary.Outcome.Reason));
    }

    protected override void RunTest() => _test.Run();

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

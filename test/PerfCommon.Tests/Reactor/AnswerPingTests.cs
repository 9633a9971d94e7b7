using PerfCommon.Domains;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>Pings of a consumer that waits for answers: from 50 ms after its request or the last answer on, and never before.</summary>
public sealed class AnswerPingTests
{
    private const int IdleMillis = 200;

    [Fact]
    public void Request_LongAfterTheLastAnswer_IsNoReasonForAPing()
    {
        using RecoveryBench bench = Started();
        bench.Pass(IdleMillis);
        bench.Consumer.Session.Subscribe("RDT9");
        bench.Until(() => bench.Count("refresh 2 RDT9") == 1);
        bench.Pass(IdleMillis);
        Assert.Equal(0, bench.Provider.Session.Channel.PingsRead);
    }

    [Fact]
    public void Batch_LongAfterTheLastAnswer_IsNoReasonForAPing()
    {
        using RecoveryBench bench = Started();
        bench.Pass(IdleMillis);
        bench.Consumer.Session.Subscribe(["RDT8", "RDT9"]);
        bench.Until(() => bench.Count("refresh 2 RDT8") + bench.Count("refresh 3 RDT9") == 2);
        bench.Pass(IdleMillis);
        Assert.Equal(0, bench.Provider.Session.Channel.PingsRead);
    }

    private static RecoveryBench Started()
    {
        ProviderSessionOptions provider =
            SessionSamples.Provider with { Offer = SessionSamples.Provider.Offer! with { SupportBatchRequests = LoginOffer.BatchRequests } };
        RecoveryBench bench = new(2, new RecoveryOptions(), provider);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == 2);
        return bench;
    }
}

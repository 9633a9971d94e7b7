using PerfTools.Hosting.Running;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>What people are shown of users that were lost or tried again: the first of each kind, once.</summary>
[Trait("Category", "Fast")]
public sealed class UserFailuresTests : IDisposable
{
    private const string Cut = "connection lost: the peer closed the connection";

    private readonly UsersBench _bench = new("-steps 4 -warmup 0 -settle 5 -period 2 -loginRate 10 -threads 2") { Cuts = 3 };
    private readonly StringWriter _output = new();
    private readonly UserFailures _failures;
    private readonly RunConsole _console;

    public UserFailuresTests() => (_failures, _console) = (new UserFailures(_bench.Threads), new RunConsole(_output));

    public void Dispose()
    {
        _bench.Dispose();
        _output.Dispose();
    }

    [Fact]
    public void Report_RetriesAndLosses_ShowsTheFirstOfEachOnce()
    {
        Assert.Equal(("", null), (Report(), _failures.FirstLoss));
        _bench.Until(() => _bench[UserCounter.LoginsRetried] == 1);
        Assert.Equal($"The first log-in is tried again: {Cut}\n", Report());
        _bench.Until(() => _bench[UserCounter.LoginsRetried] == 3 && _bench.In == 4);
        Assert.Equal(("", null), (Report(), _failures.FirstLoss));

        Lose(3);
        Assert.Equal($"The first user is lost: {Cut}\n", Report());
        Lose(0);
        Assert.Equal("", Report());
        Assert.Equal(Cut, _failures.FirstLoss);
    }

    [Fact]
    public void Explain_MissingUsers_NamesTheNearestReason()
    {
        Assert.Equal("images are missing", _failures.Explain(isAnyoneIn: false)); // no user has begun
        _bench.Until(() => _bench.Threads[0].FirstProblem is not null);
        Assert.Equal(_bench.Threads[0].FirstProblem, _failures.Explain(isAnyoneIn: false));
        Assert.NotEqual(_bench.Threads[0].FirstProblem, _failures.Explain(isAnyoneIn: true)); // it says nothing of the others

        _bench.Until(() => _bench[UserCounter.LoginsRetried] == 3 && _bench.In == 4);
        Assert.Equal($"Log-ins tried again: 3 (3 times: {Cut})", _failures.Explain(isAnyoneIn: true));
        Assert.Equal(_failures.Retries.Describe(), _failures.Explain(isAnyoneIn: true));
        Lose(1);
        Assert.Equal((Cut, Cut), (_failures.Explain(isAnyoneIn: true), _failures.Explain(isAnyoneIn: false)));
    }

    private void Lose(int feed)
    {
        long before = _bench[UserCounter.UsersLost];
        _bench.Feeds[feed].Session.Channel.Close();
        _bench.Until(() => _bench[UserCounter.UsersLost] == before + 1);
    }

    // What is printed now.
    private string Report()
    {
        _output.GetStringBuilder().Clear();
        _failures.Report(_console);
        return _output.ToString();
    }
}

using System.Text;
using System.Text.Json;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace PerfCommon.Tests.Hosting.Control;

public class RunControlTests
{
    private readonly SampleSettings _sample = new();
    private readonly RunControl _control;

    public RunControlTests() => _control = new("Sample", new ControlAccess(null), _sample.Settings, () => "metrics\n");

    [Fact]
    public void Answer_ValidLines_AppliesThemTogetherAndShowsWhatHolds()
    {
        ControlReply reply = Post("least=10\r\n\nmost = 20\n");
        Assert.Equal((200, "application/json"), (reply.Status, reply.ContentType));
        Assert.Equal(["10..20"], _sample.Applied);
        using JsonDocument shown = JsonDocument.Parse(reply.Text);
        Assert.Equal("Sample", shown.RootElement.GetProperty("tool").GetString());
        JsonElement most = shown.RootElement.GetProperty("settings")[1];
        Assert.Equal("""{"name":"most","value":20,"unit":"s","min":0,"max":100,"kind":"a whole number from 0 to 100"}""", most.GetRawText());
        SettingEvent set = Assert.Single(_control.DequeueEvents());
        Assert.Equal([new("least", "10", "1"), new("most", "20", "5")], set.Changes);
        Assert.Empty(_control.DequeueEvents());
    }

    [Theory]
    [InlineData("mos=3", "mos: unknown setting; did you mean most?")]
    [InlineData("qqqqqq=3", "qqqqqq: unknown setting; GET /control lists them")]
    [InlineData("most=abc", "most: 'abc' is not a whole number from 0 to 100")]
    [InlineData("most=101", "most: '101' is not a whole number from 0 to 100")]
    [InlineData("least=3\nmost=2", "least must not be above most")]
    [InlineData("most=50\nleast=x", "least: 'x' is not a whole number from 0 to 100")]
    [InlineData("most=50\nend=soon", "end: 'soon' is not now")]
    [InlineData("most=50\nmark=", "mark: a text of 1 to 100 letters")]
    [InlineData("most=50\nmost=51", "most: given more than once")]
    [InlineData("most", "'most' is not name=value")]
    [InlineData("=5", "'=5' is not name=value")]
    [InlineData(" \n", "nothing to set: send lines name=value")]
    public void Answer_AnyLineWrong_ChangesNothingAndSaysWhyInOneSentence(string body, string sentence)
    {
        ControlReply reply = Post(body);
        Assert.Equal((400, sentence + "\n"), (reply.Status, reply.Text));
        Assert.Empty(_sample.Applied);
        Assert.Empty(_control.DequeueEvents());
        Assert.Null(_control.Outcome);
    }

    [Fact]
    public void Answer_OwnSettings_AreTakenByTheMainThread()
    {
        Assert.False(_control.DequeueCollectionRequest());
        Assert.Equal(200, Post("mark=half time\ncollect=now\nend=now").Status);
        Assert.Equal((true, false), (_control.DequeueCollectionRequest(), _control.DequeueCollectionRequest()));
        Assert.Equal(new RunOutcome(ExitCode.Success, "ended by control"), _control.Outcome);
        Assert.Equal(["mark", "collect", "end"], _control.DequeueEvents().Single().Changes.Select(change => change.Name));
    }

    [Fact]
    public void Answer_BodyTooLarge_IsRefused() =>
        Assert.Equal((413, "a request has at most 4096 bytes\n"),
            StatusAndText(_control.Answer(Request("POST", "/control") with { Body = null })));

    [Theory]
    [InlineData("GET", "/metrics", 200)]
    [InlineData("HEAD", "/metrics", 200)]
    [InlineData("POST", "/metrics", 405)]
    [InlineData("GET", "/control", 200)]
    [InlineData("DELETE", "/control", 405)]
    [InlineData("GET", "/", 404)]
    [InlineData("GET", "/Metrics", 404)]
    public void Answer_EachWay_HasItsStatus(string method, string path, int status) =>
        Assert.Equal(status, _control.Answer(Request(method, path)).Status);

    [Fact]
    public void Answer_WhatIsNotOffered_IsNotThere()
    {
        Assert.Equal((404, "nothing is here but /metrics\n"),
            StatusAndText(new RunControl("Sample", null, null, () => "").Answer(Request("GET", "/control"))));
        RunControl bare = new("Sample", new ControlAccess(null), null, writeMetrics: null, collects: false);
        Assert.Equal((404, "nothing is here but /control\n"), StatusAndText(bare.Answer(Request("GET", "/metrics"))));
        Assert.Equal(400, bare.Answer(Request("POST", "/control") with { Body = "collect=now" }).Status);
        Assert.Equal(400, bare.Answer(Request("POST", "/control") with { Body = "rate=5" }).Status);
    }

    [Theory]
    [InlineData(null, null, null, 403)]
    [InlineData(null, null, "0", 403)]
    [InlineData(null, null, "1", 200)]
    [InlineData(null, "Bearer secret", "1", 200)]
    [InlineData("secret", null, "1", 401)]
    [InlineData("secret", "Bearer secret", null, 200)]
    [InlineData("secret", "Bearer secre", "1", 401)]
    [InlineData("secret", "secret", "1", 401)]
    [InlineData("secret", "Basic secret", "1", 401)]
    public void Answer_TokenOrHeader_DecidesWhoMay(string? token, string? authorization, string? own, int status)
    {
        RunControl control = new("Sample", new ControlAccess(token), _sample.Settings, () => "metrics\n");
        foreach ((string method, string body) in ((string, string)[])[("GET", ""), ("POST", "most=50")])
            Assert.Equal(status, control.Answer(new(method, "/control") { Authorization = authorization, Own = own, Body = body }).Status);
        Assert.Equal(200, control.Answer(new("GET", "/metrics")).Status);
        Assert.Equal(status == 200 ? 1 : 0, _sample.Applied.Count);
        Assert.DoesNotContain("secret", control.Answer(new("GET", "/control")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void JsonLine_OfAnEvent_HasWhatIsSetAndWhatWas()
    {
        using MemoryStream line = new();
        new SettingEvent(new DateTime(2026, 11, 22, 10, 0, 0, 250),
            [new("rate", "200000", "100000"), new("mark", "half \"time\"", null)]).WriteJsonLine(line, "ProvPerf");
        Assert.Equal(
            """{"tool":"ProvPerf","final":false,"utc":"2026-11-22T10:00:00.250Z","set":{"rate":200000,"mark":"half \u0022time\u0022"},"was":{"rate":100000}}""" + "\n",
            Encoding.UTF8.GetString(line.ToArray()));
    }

    private static (int, string) StatusAndText(ControlReply reply) => (reply.Status, reply.Text);

    private static ControlRequest Request(string method, string path) => new(method, path) { Own = "1" };

    private ControlReply Post(string body) => _control.Answer(Request("POST", "/control") with { Body = body });
}

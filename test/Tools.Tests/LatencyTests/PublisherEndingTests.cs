using LatencyPerf.Protocol;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>The end of a test: who is asked for the counts, how often, and for how long.</summary>
[Trait("Category", "Fast")]
public class PublisherEndingTests
{
    private const long Milli = Clock.NanosPerMilli;
    private const ulong Last = 42;

    private readonly DatagramRecord _output = new();

    [Theory]
    [InlineData(false, 5_000, "")]
    [InlineData(true, 500, " Interrupted")]
    public void Tick_NobodyAnswers_AsksEveryTenMillisecondsUntilTheTimeIsOver(bool wasInterrupted, int limitMillis, string mark)
    {
        PublisherEnding ending = new(ConversationPair.CreateTerms(2), Last, wasInterrupted);
        for (long millis = 0; millis < limitMillis; millis += 10)
        {
            Assert.False(ending.IsOver);
            ending.Tick(7 + (millis * Milli), _output);
            Assert.Equal([$"1: End {Last}{mark}", $"2: End {Last}{mark}"], _output.Take());
            ending.Tick(7 + (millis * Milli) + (10 * Milli) - 1, _output);
            Assert.Empty(_output.Take());
            Assert.Equal(7 + (millis * Milli) + (10 * Milli), ending.NextWakeNanos);
        }

        Assert.False(ending.IsOver); // a nanosecond is left
        ending.Tick(7 + (limitMillis * Milli), _output);
        Assert.True(ending.IsOver);
        Assert.Empty(_output.Take());
        Assert.Equal(1, ending.Missing);
        Assert.Equal([null, null, null], ending.Counts);
    }

    [Fact]
    public void Receive_CountsOfOne_LeavesTheOtherToBeAsked()
    {
        PublisherEnding ending = new(ConversationPair.CreateTerms(2), Last, wasInterrupted: false);
        ending.Tick(1, _output);
        _output.Take();
        Receive(ending, from: 1, received: 9);
        Assert.Equal((2, false), (ending.Missing, ending.IsOver));
        ending.Tick(1 + (10 * Milli), _output);
        Assert.Equal([$"2: End {Last}"], _output.Take());
        Receive(ending, from: 2, received: 8);
        Assert.Equal((null, true), (ending.Missing, ending.IsOver));
        Assert.Equal([$"1: Ack {Last}", $"2: Ack {Last}"], _output.Take());
        Assert.Equal([null, 9, 8], ending.Counts.Select(counts => counts?.Received));
        ending.Tick(1 + (20 * Milli), _output);
        Assert.Empty(_output.Take());
    }

    [Theory]
    [InlineData(0, 7, ConversationPair.Session, 14, 80)] // the publisher itself
    [InlineData(3, 7, ConversationPair.Session, 14, 80)] // one more than there are
    [InlineData(1, 8, ConversationPair.Session, 14, 80)] // of another domain
    [InlineData(1, 7, ConversationPair.Session + 1, 14, 80)] // of another test
    [InlineData(1, 7, ConversationPair.Session, 13, 80)] // no answer
    [InlineData(1, 7, ConversationPair.Session, 14, 79)] // too short
    public void Receive_WhatIsNoAnswer_ChangesNothing(int from, int domain, uint session, byte kind, int bytes)
    {
        PublisherEnding ending = new(ConversationPair.CreateTerms(2), Last, wasInterrupted: false);
        ending.Receive(new((DatagramKind)kind, domain, from, DatagramMarks.None, session, bytes, 0), new byte[bytes], _output);
        Assert.Equal((1, false), (ending.Missing, ending.IsOver));
        Assert.Empty(_output.Take());
        Receive(ending, 1, 0);
        Assert.Equal(2, ending.Missing);
    }

    private void Receive(PublisherEnding ending, int from, long received)
    {
        byte[] body = new byte[SubscriberCounts.Bytes];
        new SubscriberCounts { Received = received }.Write(body);
        ending.Receive(new(DatagramKind.Ended, 7, from, DatagramMarks.None, ConversationPair.Session, body.Length, 0), body, _output);
    }
}
